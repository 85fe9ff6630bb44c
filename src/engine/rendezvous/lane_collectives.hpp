// SPDX-License-Identifier: Apache-2.0
// Collectives of a warp: which lanes have come to which call, and what they get when the last of them has. Lanes that
// have met at a shuffle go on as a convoy (detail::Convoy), which ends when one of them does anything else.
#pragma once

#include "engine/choosing/choosing.hpp"
#include "engine/state/worker_state.hpp"

namespace warpfiber::engine {

/// Of one worker.
class LaneCollectives {
 public:
  LaneCollectives(WorkerState& worker, Choosing& choosing) : worker_(worker), choosing_(choosing) {}

  /// The rendezvous that lanes of `mask` are having at `collective`, or a new one.
  detail::PendingCollective& rendezvous_of(ResidentWarp& warp, const detail::Collective& collective,
                                           std::uint64_t mask);
  /// The lanes that have come get their results.
  void answer(ResidentWarp& warp, detail::PendingCollective& pending);
  /// The same, and they can go on.
  void complete(ResidentBlock& block, ResidentWarp& warp, detail::PendingCollective& pending);
  /// A lane of `warp` has returned: what the others wait for may now be complete.
  void recheck(ResidentBlock& block, ResidentWarp& warp);

  /// In the shape of most launches, a warp's threads have the same threadIdx.z.
  bool may_form_convoys() const;
  /// `lanes` have met and go on one after the other, `self`, which came last, as the last.
  detail::Switch run_convoy(detail::Fiber* self, detail::Convoy& convoy, detail::WaitList& lanes);
  /// The running lane does something else than the others of its convoy.
  void end_convoy();

 private:
  WorkerState& worker_;
  Choosing& choosing_;
};

}  // namespace warpfiber::engine
