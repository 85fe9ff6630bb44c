// SPDX-License-Identifier: Apache-2.0
// When barriers let their threads go on. A block's and a cluster's count threads that have not returned, on one worker.
// A grid's counts blocks, over all workers: a block arrives once all its threads that have not returned have come, and,
// as in NVIDIA's implementation, the arrival is the work of the block's first thread. A block that has left, or whose
// first thread has, is waited for in vain (docs/semantics.md, "Exited threads").
#pragma once

#include "engine/choosing/choosing.hpp"
#include "engine/observing/observing.hpp"
#include "engine/state/worker_state.hpp"

namespace warpfiber::engine {

/// Of one worker.
class Barriers {
 public:
  Barriers(WorkerState& worker, Choosing& choosing, LaunchObservers& observers)
      : worker_(worker), choosing_(choosing), observers_(observers) {}

  /// All threads of `block` that have not returned are at its barrier.
  void release(ResidentBlock& block);
  /// A thread of `block` has returned: the barriers that it would have come to may now be complete.
  void recheck(ResidentBlock& block);
  /// A thread of `block` has arrived or returned: is a barrier wider than the block complete?
  void recheck_wide(ResidentBlock& block);

  /// Wakes those of `block` that wait at the grid barrier if it has opened.
  bool release_if_open(ResidentBlock& block);
  /// The same of all blocks of this worker. True if there were any.
  bool release_open();

 private:
  void release_cluster(Cluster& cluster);
  void arrive_block(ResidentBlock& block);

  WorkerState& worker_;
  Choosing& choosing_;
  LaunchObservers& observers_;
};

/// Whether blocks of `worker` have arrived at a grid barrier that is open by now.
bool has_open_barrier(const WorkerState& worker);

/// Some thread comes to a grid barrier.
inline void note_grid_barrier(Grid& grid) {
  if (!grid.grid_barriers.load(std::memory_order_relaxed)) grid.grid_barriers.store(true);
}

}  // namespace warpfiber::engine
