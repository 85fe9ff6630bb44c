// SPDX-License-Identifier: Apache-2.0
// Barriers of a block, a cluster and a grid that are split into an arrival, which does not wait, and a wait. They share
// the phases of the barriers that are not split (whole_barriers.hpp). NVIDIA's headers split the cluster's and the
// grid's barrier and make the block's wait a whole barrier; a program that keeps the rules sees no difference.
#pragma once

#include <warpfiber/detail/group.hpp>

#include "engine/rendezvous/releasing.hpp"
#include "engine/waits/waits.hpp"

namespace warpfiber::engine {

/// Of one worker.
class SplitBarriers {
 public:
  explicit SplitBarriers(Waits& waits) : worker_(waits.worker()), waits_(waits), releasing_(waits.releasing()) {}

  std::uint64_t arrive(detail::SplitBarrier barrier, Site site);
  void wait(detail::SplitBarrier barrier, std::uint64_t phase, Site site);
  /// The phase that the running thread has arrived in.
  std::uint64_t open_phase(detail::SplitBarrier barrier, Site site);

  /// The running thread comes to a whole barrier of the group. If it has arrived at the split one and not yet waited,
  /// that is misuse, which is reported where the wait is; until then the thread does what it would on a device.
  void finish_phase_first(ResidentBlock& block, detail::Fiber* self, detail::SplitBarrier barrier, Site site);

 private:
  std::uint64_t phase_of(ResidentBlock& block, detail::SplitBarrier barrier) const;
  void arrive_at_block(ResidentBlock& block, detail::Fiber* self, Site site);
  void arrive_at_cluster(ResidentBlock& block);
  void arrive_at_grid(ResidentBlock& block, Site site);
  void wait_for_phase(ResidentBlock& block, detail::Fiber* self, detail::SplitBarrier barrier, std::uint64_t phase,
                      Site site);

  WorkerState& worker_;
  Waits& waits_;
  Releasing& releasing_;
};

}  // namespace warpfiber::engine
