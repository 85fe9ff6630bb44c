// SPDX-License-Identifier: Apache-2.0
// Barriers wider than a block. A cluster barrier counts threads that have not returned, on one worker. A grid barrier
// counts blocks, over all workers: a block arrives once all its threads that have not returned have come, and, as in
// NVIDIA's implementation, the arrival is the work of the block's first thread. A block that has left, or whose first
// thread has, is waited for in vain (docs/semantics.md, "Exited threads").
#include <algorithm>

#include "engine/findings/findings.hpp"
#include "engine/worker.hpp"

namespace warpfiber::engine {

using detail::current_thread;
using detail::Fiber;
using detail::Switch;
using machine::RendezvousKind;

Switch Worker::arrive_at_grid_barrier(Site site) {
  Fiber* self = begin_wait();
  note_grid_barrier();
  if (!grid_->request.cooperative) fail_here(grid_barrier_in_plain_launch(*this, site));
  return arrive_at_wide_barrier(self, false, site);
}

Switch Worker::arrive_at_multi_grid_barrier(Site site) {
  Fiber* self = begin_wait();
  if (grid_->request.multi == nullptr) fail_here(multi_grid_barrier_in_other_launch(*this, site));
  // One line may hold both barriers (a template of a group); kernels' inlined path of the grid barrier must not take
  // this one for its own.
  site.column = ~site.column;
  return arrive_at_wide_barrier(self, true, site);
}

Switch Worker::arrive_at_wide_barrier(Fiber* self, bool multi_grid, Site site) {
  ResidentBlock& block = this->block();
  finish_phase_first(block, self, detail::SplitBarrier::grid, site);
  release_if_open(block);
  detail::WideBarrier& barrier = block.grid_barrier;
  if (barrier.arrived == 0) {
    barrier.split = false;
    block.multi_grid = multi_grid;
  }
  const machine::RendezvousTraits& traits =
      traits_of(multi_grid || block.multi_grid ? RendezvousKind::multi_grid_barrier : RendezvousKind::grid_barrier);
  if (machine::arrive(barrier, block.live, traits.sites, site) == machine::Arrival::elsewhere)
    fail_here(wide_barrier_divergence(*this, traits.name, barrier.waiting, barrier.site, site));
  barrier.waiting.append(self);
  recheck_wide(block);
  return suspend(self);
}

Switch Worker::arrive_at_cluster_barrier(Site site) {
  ResidentBlock& block = this->block();
  if (block.open_arrivals != 0) finish_phase_first(block, begin_wait(), detail::SplitBarrier::cluster, site);
  // A plain launch has clusters of one block.
  if (block.cluster == nullptr) return arrive_at_barrier(detail::BarrierKind::plain, false, site);
  Fiber* self = begin_wait();
  block.cluster_barrier.site = site;
  block.cluster->barrier.arrive();
  block.cluster_barrier.waiting.append(self);
  recheck_wide(block);
  if (!in_order_ && !block.cluster->barrier.is_open()) yield_by_policy(*self);
  return suspend(self);
}

unsigned Worker::cluster_block_rank() const {
  const ResidentBlock& block = this->block();
  if (block.cluster == nullptr) return 0;
  const auto& members = block.cluster->blocks;
  return static_cast<unsigned>(std::find(members.begin(), members.end(), &block) - members.begin());
}

/// Every block's shared memory has the same layout, so the place in another block's is an offset away.
void* Worker::shared_of_rank(const void* mine, unsigned rank, Site site) {
  const ResidentBlock& block = this->block();
  if (!block.arena.contains(mine) || rank >= grid_->cluster_blocks) {
    current_thread.busy = true;
    if (grid_->request.checked() && block.arena.contains(mine)) {
      char* nowhere = memory_of_no_block(bad_shared_rank(*this, rank, true, site));
      current_thread.busy = false;
      return nowhere + (static_cast<const char*>(mine) - block.arena.base());
    }
    fail_here(bad_shared_rank(*this, rank, block.arena.contains(mine), site));
  }
  const ResidentBlock& owner = block.cluster == nullptr ? block : *block.cluster->blocks[rank];
  return owner.arena.base() + (static_cast<const char*>(mine) - block.arena.base());
}

std::optional<unsigned> Worker::rank_of_sharing_block(const void* place) const {
  const ResidentBlock& block = this->block();
  if (block.cluster == nullptr) return block.arena.contains(place) ? std::optional(0U) : std::nullopt;
  const auto& members = block.cluster->blocks;
  const auto owner = std::find_if(members.begin(), members.end(),
                                  [place](const ResidentBlock* member) { return member->arena.contains(place); });
  if (owner == members.end()) return std::nullopt;
  return static_cast<unsigned>(owner - members.begin());
}

unsigned Worker::rank_of_shared(const void* place, Site site) {
  if (const std::optional<unsigned> rank = rank_of_sharing_block(place)) return *rank;
  current_thread.busy = true;
  fail_here(not_shared(*this, site));
}

detail::Notice& Worker::notice_in_cluster(unsigned rank) {
  ResidentBlock& block = this->block();
  return block.cluster == nullptr ? block.notice : block.cluster->blocks[rank]->notice;
}

detail::Notice& Worker::notice_in_grid(std::uint64_t rank, Site site) {
  current_thread.busy = true;
  if (!grid_->request.cooperative) fail_here(grid_barrier_in_plain_launch(*this, site));
  std::call_once(grid_->notices_made, [&] { grid_->notices = std::make_unique<detail::Notice[]>(grid_->blocks); });
  current_thread.busy = false;
  return grid_->notices[rank];
}

/// A thread of `block` has arrived or returned: is a barrier wider than the block complete?
void Worker::recheck_wide(ResidentBlock& block) {
  detail::WideBarrier& barrier = block.grid_barrier;
  if (barrier.arrived != 0 && barrier.arrived == block.live && !block.first_exited) arrive_block(block);
  Cluster* cluster = block.cluster;
  if (cluster != nullptr && cluster->barrier.is_complete()) release_cluster(*cluster);
  block.alone.members = block.live;
  if (block.alone.is_complete()) {
    block.alone.complete();
    if (observer_ != nullptr) report_block_release(*observer_, block, Site{});
    make_ready(block, block.cluster_barrier.waiting);
  }
}

void Worker::release_cluster(Cluster& cluster) {
  if (observer_ != nullptr) report_cluster_release(*observer_, cluster, grid_->request.warp_size);
  cluster.barrier.complete();
  ++barriers_;
  count_release();
  ++current_thread.progress;
  for (ResidentBlock* member : cluster.blocks) make_ready(*member, member->cluster_barrier.waiting);
}

/// All threads of `block` are at the grid barrier. The last block opens it for all.
void Worker::arrive_block(ResidentBlock& block) {
  detail::WideBarrier& barrier = block.grid_barrier;
  barrier.arrived = 0;
  block.grid_phase = wide_phase_of(block);
  block.at_grid_barrier = true;
  if (grid_->request.checked() && block.live != block.threads && !barrier.split) {
    note_release_by_exits(block, block.multi_grid ? "multi_grid.sync()" : "grid.sync()", true, barrier.site);
  }
  if (block.multi_grid) {
    if (!grid_->multi_barrier.arrive(grid_->blocks)) return;
    if (observer_ != nullptr) report_grid_release(*observer_, *grid_, resident_);
    grid_->multi_barrier.complete();
    ++current_thread.progress;
    grid_->request.multi->arrive();
    return;
  }
  if (!grid_->barrier.arrive(grid_->blocks)) return;
  if (observer_ != nullptr) report_grid_release(*observer_, *grid_, resident_);
  grid_->barrier.complete();
  ++current_thread.progress;
  grid_->notify();
}

/// Of the barrier that the block's threads go to: its grid's, or that of several grids.
std::uint64_t Worker::wide_phase_of(const ResidentBlock& block) const {
  return block.multi_grid ? grid_->request.multi->phase() : grid_->barrier.phase();
}

/// Wakes those of `block` that wait at the grid barrier if it has opened.
bool Worker::release_if_open(ResidentBlock& block) {
  if (!block.at_grid_barrier || block.grid_phase == wide_phase_of(block)) return false;
  block.at_grid_barrier = false;
  make_ready(block, block.grid_barrier.waiting);
  return true;
}

/// Wakes the blocks of this worker whose grid barrier has opened. True if there were any.
bool Worker::release_from_grid_barrier() {
  bool any = false;
  for (ResidentBlock* block : resident_) any = release_if_open(*block) || any;
  return any;
}

/// Whether blocks have arrived at a grid barrier that is open by now.
bool Worker::has_open_barrier() const {
  return std::any_of(resident_.begin(), resident_.end(), [this](const ResidentBlock* block) {
    return block->at_grid_barrier && block->grid_phase != wide_phase_of(*block);
  });
}

void Worker::set_idle(bool idle) {
  is_idle_ = idle;
  grid_->idle.fetch_add(idle ? 1U : ~0U);
}

/// Whether something that this worker cannot see while idle lets it go on.
bool Worker::can_go_on() const {
  if (grid_->stopped()) return true;
  if (admission_.may_admit()) return true;
  return has_open_barrier();
}

detail::WideMeeting* Worker::make_wide_meetings(std::size_t count) {
  detail::current_thread.busy = true;
  const std::lock_guard lock(grid_->mutex);
  auto& made = grid_->wide_meetings.emplace_back(std::make_unique<detail::WideMeeting[]>(count));
  detail::current_thread.busy = false;
  return made.get();
}

}  // namespace warpfiber::engine
