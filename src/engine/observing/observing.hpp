// SPDX-License-Identifier: Apache-2.0
// What the engine reports to observers of a launch (record/observer.hpp), in the terms of its own blocks and waits.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "engine/block.hpp"
#include "engine/grid.hpp"
#include "record/observer.hpp"
#include "record/observer_list.hpp"

namespace warpfiber::engine {

/// The observers of one worker. The checker is kept from launch to launch, because it is dear to make.
class LaunchObservers {
 public:
  /// Those of a launch as one, until end(); null where it has none.
  record::Observer* begin(const GridRequest& request);
  void end();
  /// Those among them that observe accesses of checked programs; null where none does.
  record::Observer* of_accesses() const { return of_accesses_; }

 private:
  record::Observer* checker(record::ObserverFactory& factory);

  record::ObserverFactory* made_by_ = nullptr;
  std::unique_ptr<record::Observer> checker_;  // made by that
  std::vector<std::unique_ptr<record::Observer>> others_;
  std::unique_ptr<record::ObserverList> list_;
  record::Observer* of_accesses_ = nullptr;
};

/// All threads of the block have met.
void report_block_release(record::Observer& observer, const ResidentBlock& block, const Site& site);
/// Lanes of `warp` have met at a collective.
void report_lane_release(record::Observer& observer, const ResidentWarp& warp, const detail::Gather& gather);
/// The threads of a group have met.
void report_group_release(record::Observer& observer, const ResidentBlock& block, const GroupGather& gather,
                          unsigned warp_size);
/// All threads of a cluster have come to its barrier.
void report_cluster_release(record::Observer& observer, Cluster& cluster, unsigned warp_size);
/// All threads of the grid have; this worker runs all of it, or nothing is said of the others' blocks.
void report_grid_release(record::Observer& observer, Grid& grid, std::span<ResidentBlock* const> resident);

/// What stands for the present phase of a barrier in two parts.
const void* split_phase(const Grid& grid, const ResidentBlock& block, detail::SplitBarrier barrier);

}  // namespace warpfiber::engine
