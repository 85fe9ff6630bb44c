// SPDX-License-Identifier: Apache-2.0
// Collectives of a warp: which lanes have come to which call. Lanes that have met at a shuffle go on as a convoy
// (detail::Convoy), which ends when one of them does anything else.
#pragma once

#include <warpfiber/detail/wait.hpp>

#include "engine/state/worker_state.hpp"

namespace warpfiber::engine {

/// Of one worker.
class LaneCollectives {
 public:
  explicit LaneCollectives(WorkerState& worker) : worker_(worker) {}

  /// The rendezvous that lanes of `mask` are having at `collective`, or a new one.
  static detail::PendingCollective& rendezvous_of(ResidentWarp& warp, const detail::Collective& collective,
                                                  std::uint64_t mask);

  /// In the shape of most launches, a warp's threads have the same threadIdx.z.
  bool may_form_convoys() const;
  /// `lanes` have met and go on one after the other, `self`, which came last, as the last.
  detail::Switch run_convoy(detail::Fiber* self, detail::Convoy& convoy, detail::WaitList& lanes);
  /// The running lane does something else than the others of its convoy.
  void end_convoy();

 private:
  WorkerState& worker_;
};

}  // namespace warpfiber::engine
