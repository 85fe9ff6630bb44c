// SPDX-License-Identifier: Apache-2.0
// What the engine reports to observers of a launch (record/observer.hpp), in the terms of its own blocks and waits.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "engine/findings/exits.hpp"
#include "engine/state/worker_state.hpp"
#include "record/observer.hpp"
#include "record/observer_list.hpp"

namespace warpfiber::engine {

/// The observers of one worker, and what the engine itself keeps for the findings of checked launches. The checker is
/// kept from launch to launch, because it is dear to make.
class LaunchObservers {
 public:
  /// Makes those of the worker's launch, and reports its begin; from now on the state has them as one.
  void begin(WorkerState& worker);
  /// Reports the end, and collects what was found.
  void end(WorkerState& worker);

  /// `barrier` of `block`, at `site`, is complete although some threads of the block have exited.
  void note_release_by_exits(const WorkerState& worker, const ResidentBlock& block, const char* barrier, bool of_grid,
                             Site site);

 private:
  record::Observer* make(const GridRequest& request);
  record::Observer* checker(record::ObserverFactory& factory);

  record::ObserverFactory* made_by_ = nullptr;
  std::unique_ptr<record::Observer> checker_;  // made by that
  std::vector<std::unique_ptr<record::Observer>> others_;
  std::unique_ptr<record::ObserverList> list_;
  std::vector<ReleaseByExits> releases_by_exits_;
};

/// Threads `first` … `last`-1 of the block have begun or ended.
void report_threads_begin(record::Observer& observer, const ResidentBlock& block, unsigned first, unsigned last);
void report_threads_end(record::Observer& observer, const ResidentBlock& block, unsigned first, unsigned last);
/// All threads of the block have met.
void report_block_release(record::Observer& observer, const ResidentBlock& block, const Site& site);
/// Lanes of `warp` have met at a collective.
void report_lane_release(record::Observer& observer, const ResidentWarp& warp,
                         const detail::PendingCollective& pending);
/// The threads of a group have met.
void report_group_release(record::Observer& observer, const ResidentBlock& block, const GroupRendezvous& group,
                          unsigned warp_size);
/// All threads of a cluster have come to its barrier.
void report_cluster_release(record::Observer& observer, Cluster& cluster, unsigned warp_size);
/// All threads of the grid have; this worker runs all of it, or nothing is said of the others' blocks.
void report_grid_release(record::Observer& observer, Grid& grid, std::span<ResidentBlock* const> resident);

/// What stands for the present phase of a barrier in two parts.
const void* split_phase(const Grid& grid, const ResidentBlock& block, detail::SplitBarrier barrier);

}  // namespace warpfiber::engine
