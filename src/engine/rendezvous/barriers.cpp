// SPDX-License-Identifier: Apache-2.0
// What follows from a complete phase: observers are notified, the next phase begins, and who waited can run.
#include "engine/rendezvous/barriers.hpp"

#include <algorithm>

#include "engine/state/rendezvous_table.hpp"

namespace warpfiber::engine {

using detail::BarrierKind;
using detail::current_thread;

namespace {

unsigned barrier_result(BarrierKind kind, unsigned count, unsigned arrived) {
  switch (kind) {
    case BarrierKind::plain: return 0;
    case BarrierKind::count: return count;
    case BarrierKind::all_of: return count == arrived;
    case BarrierKind::any_of: return count != 0;
    case BarrierKind::split: return 0;
  }
  return 0;
}

/// Of the barrier that the block's threads go to: its grid's, or that of several grids.
std::uint64_t wide_phase_of(const Grid& grid, const ResidentBlock& block) {
  return block.multi_grid ? grid.request.multi->phase() : grid.barrier.phase();
}

bool is_open(const Grid& grid, const ResidentBlock& block) {
  return block.at_grid_barrier && block.grid_phase != wide_phase_of(grid, block);
}

}  // namespace

void Barriers::release(ResidentBlock& block) {
  detail::Barrier& barrier = block.barrier;
  barrier.result = barrier_result(barrier.kind, barrier.count, barrier.arrived);
  barrier.arrived = barrier.count = 0;
  if (worker_.observer != nullptr && barrier.kind != BarrierKind::split) {
    report_block_release(*worker_.observer, block, barrier.site);
    if (worker_.grid().request.checked() && block.live != block.threads)
      observers_.note_release_by_exits(worker_, block, "__syncthreads()", false, barrier.site);
  }
  ++barrier.phase;
  ++worker_.barriers;
  ++current_thread.progress;
  choosing_.make_ready(block, barrier.waiting);
  if (!block.split_waits.waiting.empty()) choosing_.make_ready(block, block.split_waits.waiting);
}

void Barriers::recheck(ResidentBlock& block) {
  if (is_complete(AtBlockBarrier{block})) release(block);
  if (any_wide_open(block)) recheck_wide(block);
}

void Barriers::recheck_wide(ResidentBlock& block) {
  if (is_complete(AtGridBarrier{block})) arrive_block(block);
  if (!is_complete(AtClusterBarrier{block})) return;
  if (block.cluster != nullptr) {
    release_cluster(*block.cluster);
  } else {
    block.alone.complete();
    if (worker_.observer != nullptr) report_block_release(*worker_.observer, block, Site{});
    choosing_.make_ready(block, block.cluster_barrier.waiting);
  }
}

void Barriers::release_cluster(Cluster& cluster) {
  if (worker_.observer != nullptr) report_cluster_release(*worker_.observer, cluster, worker_.grid().request.warp_size);
  cluster.barrier.complete();
  ++worker_.barriers;
  worker_.releases.note();
  ++current_thread.progress;
  for (ResidentBlock* member : cluster.blocks) choosing_.make_ready(*member, member->cluster_barrier.waiting);
}

/// All threads of `block` are at the grid barrier. The last block opens it for all.
void Barriers::arrive_block(ResidentBlock& block) {
  Grid& grid = worker_.grid();
  detail::WideBarrier& barrier = block.grid_barrier;
  barrier.arrived = 0;
  block.grid_phase = wide_phase_of(grid, block);
  block.at_grid_barrier = true;
  if (grid.request.checked() && block.live != block.threads && !barrier.split) {
    const char* name = block.multi_grid ? "multi_grid.sync()" : "grid.sync()";
    observers_.note_release_by_exits(worker_, block, name, true, barrier.site);
  }
  machine::SharedRendezvous& of_grid = block.multi_grid ? grid.multi_barrier : grid.barrier;
  if (!of_grid.arrive(grid.blocks)) return;
  if (worker_.observer != nullptr) report_grid_release(*worker_.observer, grid, worker_.resident);
  of_grid.complete();
  ++current_thread.progress;
  block.multi_grid ? grid.request.multi->arrive() : grid.notify();
}

bool Barriers::release_if_open(ResidentBlock& block) {
  if (!is_open(worker_.grid(), block)) return false;
  block.at_grid_barrier = false;
  choosing_.make_ready(block, block.grid_barrier.waiting);
  return true;
}

bool Barriers::release_open() {
  bool any = false;
  for (ResidentBlock* block : worker_.resident) any = release_if_open(*block) || any;
  return any;
}

bool has_open_barrier(const WorkerState& worker) {
  return std::any_of(worker.resident.begin(), worker.resident.end(),
                     [&worker](const ResidentBlock* block) { return is_open(worker.grid(), *block); });
}

}  // namespace warpfiber::engine
