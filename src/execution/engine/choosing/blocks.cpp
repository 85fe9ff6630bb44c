// SPDX-License-Identifier: Apache-2.0
// Admitting clusters, and setting up and ending their blocks.
#include "engine/choosing/blocks.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/index.hpp"
#include "base/lane_mask.hpp"
#include "engine/choosing/choosing.hpp"
#include "engine/state/grid.hpp"

namespace warpfiber::engine {

namespace {

// For each thread that comes in, spinning threads have so many goes before blocks that come in after it.
constexpr std::uint64_t kSpinsForAThread = 8;

}  // namespace

bool BlockLifecycle::admit() {
  Grid& grid = worker_.grid();
  Admission& admission = worker_.admission;
  std::uint64_t rank = 0;
  if (grid.stopped() || !admission.has_unstarted() || !admission.take_place()) return false;
  if (!admission.take_cluster(rank)) {
    admission.give_place();
    return false;
  }
  spin_budget_ += kSpinsForAThread * grid.cluster_blocks * grid.threads;
  Cluster* cluster = grid.cluster_blocks > 1 ? admission.free_cluster() : nullptr;
  for (unsigned member = 0; member < grid.cluster_blocks; ++member) {
    ResidentBlock* block = admission.free_slot();
    if (block == nullptr) return choosing_.out_of_memory("shared memory");
    worker_.resident.push_back(block);
    start(*block, admission.member_index(rank, member), cluster);
  }
  return true;
}

void BlockLifecycle::start(ResidentBlock& block, uint3 index, Cluster* cluster) {
  block.index = index;
  block.rank = base::linear_index(index, worker_.grid().request.grid);
  block.cluster = cluster;
  block.threads = worker_.grid().threads;
  block.shared = block.arena.base();
  block.shared_touched = block.arena.touched();
  block.at_grid_barrier = block.multi_grid = false;
  block.notice.turn = 0;
  block.grid_barrier.arrived = block.cluster_barrier.arrived = 0;
  block.grid_barrier.site = Site{};
  block.ready.clear();
  block.yielded.clear();
  block.mismatched_arrivals.clear();
  block.grid_barrier.waiting.clear();
  block.cluster_barrier.waiting.clear();
  block.barrier.waiting.clear();
  block.barrier.arrived = block.barrier.count = 0;
  reset_groups(block);
  if (cluster != nullptr) cluster->blocks.push_back(&block);
  block.queued = false;
  block.float_mode = base::FloatMode{};
  reset_claims(block);
  if (worker_.observer != nullptr) worker_.observer->block_begin(block_id(block), block.arena);
  ++worker_.thread->progress;
  if (worker_.in_order) {
    choosing_.queue(block);
  } else {
    engage(block);
    choosing_.offer_claim(block);
  }
}

void BlockLifecycle::engage(ResidentBlock& block) {
  worker_.admission.note_wait();
  worker_.thread->straight_line_rows = worker_.thread->unwaited_rows = false;
  const unsigned size = worker_.grid().request.warp_size;
  const unsigned count = (block.threads + size - 1) / size;
  if (block.warp_storage.size() < count) block.warp_storage = std::vector<ResidentWarp>(count);
  for (unsigned i = 0; i < count; ++i) {
    ResidentWarp& warp = block.warp_storage[i];
    warp.reset();
    warp.live = base::lane_mask::full(std::min(size, block.threads - i * size));
    warp.block = &block;
    warp.index = i;
  }
  block.engaged = true;
}

/// A block of a launch that was ended may have left rendezvous open.
void BlockLifecycle::reset_groups(ResidentBlock& block) {
  block.split_waits.waiting.clear();
  block.alone.start(block.threads);
  if (std::exchange(block.open_arrivals, 0) != 0) block.arrivals.clear();
  if (std::exchange(block.open_groups, 0) == 0) return;
  for (unsigned i = 0; block.groups != nullptr && i < kGroupPlaces; ++i) {
    block.groups[i].rendezvous.arrived = 0;
    block.groups[i].waiting.clear();
  }
  if (block.sets != nullptr) block.sets->close_all();
}

void BlockLifecycle::reset_named(ResidentBlock& block) {
  block.named->reset();
  if (worker_.observer != nullptr) worker_.observer->forget_phases(block.named.get(), sizeof *block.named);
}

void BlockLifecycle::reset_dynamic(ResidentBlock& block) {
  const std::size_t bytes = worker_.grid().request.dynamic_shared;
  memory::poison(block.arena.dynamic(), bytes);
  if (worker_.observer != nullptr) worker_.observer->undefine(block.arena.dynamic(), bytes);
}

/// Under a policy that explores, threads start in any order.
void BlockLifecycle::shuffle_claims(ResidentBlock& block) {
  block.order.resize(block.threads);
  std::iota(block.order.begin(), block.order.end(), 0U);
  const schedule::PolicyKind kind = worker_.grid().request.policy.kind;
  if (kind == schedule::PolicyKind::in_order || kind == schedule::PolicyKind::lock_step) return;
  for (unsigned i = block.threads; i > 1; --i) std::swap(block.order[i - 1], block.order[worker_.random.below(i)]);
}

/// Threads of `block`, which is finished, have said where they returned. Others may wait for it for ever; of large
/// grids that is known of cooperative ones only.
void BlockLifecycle::note_left(const ResidentBlock& block) {
  if (keeps_left_blocks(worker_.grid())) worker_.left.emplace(block.rank, place_of_all_returns(block));
}

/// Threads of the next block get other fibers than those of their rank in this one, where a pointer to what such a
/// thread had on its stack is to be found out.
void BlockLifecycle::shift_fibers() {
  detail::Fiber* const first = worker_.idle;
  if (first == nullptr) return;
  worker_.idle = first->next;
  if (held_ != nullptr) {
    held_->next = worker_.idle;
    worker_.idle = held_;
  }
  held_ = first;
}

void BlockLifecycle::finish(ResidentBlock& block) {
  note_finished(block);
  if (worker_.grid().request.checked()) shift_fibers();
  if (worker_.observer != nullptr) worker_.observer->block_end(block_id(block));
  Admission& admission = worker_.admission;
  Cluster* cluster = block.cluster;
  if (cluster == nullptr) {
    std::erase(worker_.resident, &block);
    admission.release(block);
    admission.give_place();
    return;
  }
  if (--cluster->blocks_left > 0) return;
  for (ResidentBlock* member : cluster->blocks) {
    std::erase(worker_.resident, member);
    admission.release(*member);
  }
  admission.release(*cluster);
  admission.give_place();
}

}  // namespace warpfiber::engine
