// SPDX-License-Identifier: Apache-2.0
// Makes the events of who is resident and who has met whom. Barriers that exits have completed are findings of the
// engine itself.
#include "engine/observing/observing.hpp"

#include <warpfiber/detail/checked.hpp>

#include <algorithm>
#include <bit>
#include <iterator>
#include <memory>
#include <span>

#include "base/ids.hpp"
#include "base/index.hpp"
#include "base/locks/annotated_mutex.hpp"
#include "engine/findings/calls.hpp"
#include "engine/findings/left_stacks.hpp"

namespace warpfiber::engine {

using detail::SplitBarrier;

namespace {

/// Whether threads of `block` have exited otherwise than by a `return`, which says where it stands.
bool ran_to_the_end(const ResidentBlock& block) {
  return block.threads - block.live > block.noted_returns;
}

void append_waiting(const ResidentBlock& block, const detail::WaitList& waiting, unsigned warp_size,
                    std::vector<record::ThreadId>& to) {
  waiting.each([&](const detail::Fiber* fiber) { to.push_back({block_id(block), rank_in_block(*fiber, warp_size)}); });
}

/// Whether that thread of the running block has.
bool has_returned(const WorkerState& worker, unsigned rank) {
  const ResidentBlock& block = worker.block();
  // Those between have run on this fiber, which nobody has noted yet.
  const bool claims = worker.in_order && detail::current_thread.claimer != nullptr;
  if (claims && rank >= block.claimed) return rank < detail::thread_rank();
  if (!block.engaged) return false;
  const unsigned warp = worker.warp_of(rank);
  return (block.warp_storage[warp].live >> (rank - warp * worker.grid().request.warp_size) & 1) == 0;
}

std::vector<record::BlockId> ids_of(std::span<ResidentBlock* const> blocks) {
  std::vector<record::BlockId> ids;
  for (const ResidentBlock* block : blocks) ids.push_back(block_id(*block));
  return ids;
}

}  // namespace

record::Observer* LaunchObservers::checker(record::ObserverFactory& factory) {
  if (made_by_ != &factory) {
    checker_ = factory.make();
    made_by_ = &factory;
  }
  return checker_.get();
}

record::Observer* LaunchObservers::make(const GridRequest& request) {
  if (request.observers.empty()) return request.checked() ? checker(*request.checker) : nullptr;
  std::vector<record::Observer*> all;
  if (request.checked()) all.push_back(checker(*request.checker));
  for (record::ObserverFactory* factory : request.observers) {
    all.push_back(others_.emplace_back(factory->make()).get());
  }
  if (all.size() == 1) return all.front();
  list_ = std::make_unique<record::ObserverList>(std::move(all));
  return list_.get();
}

void LaunchObservers::begin(WorkerState& worker) {
  const GridRequest& request = worker.grid().request;
  record::Observer* const observer = make(request);
  worker.observer = observer;
  worker.thread_observer = observer != nullptr && observer->observes_threads() ? observer : nullptr;
  const bool of_accesses = !request.observers.empty() && observer->observes_accesses();
  worker.access_observer = of_accesses ? observer : nullptr;
  worker.unchecked_accesses = request.checked() ? nullptr : worker.access_observer;
  worker.statement_observer = observer != nullptr && observer->observes_statements() ? observer : nullptr;
  if (observer == nullptr) return;
  worker.missing_block.forget();
  releases_by_exits_.clear();
  record::LaunchBegin begin{.order = request.order, .facts = request.facts};
  begin.grid = base::to_triple(request.grid);
  begin.block = base::to_triple(request.block);
  begin.cluster = base::to_triple(request.cluster);
  begin.warp_size = request.warp_size;
  begin.worker = worker.index;
  begin.resident_blocks = request.resident_blocks;
  begin.check = request.check;
  begin.check.lock_step = request.steps_at_accesses();
  begin.check.every_access = of_accesses;
  begin.arguments = request.closure;
  begin.argument_bytes = request.closure_bytes;
  begin.kernel = request.kernel;
  begin.runs_threads = reinterpret_cast<const void*>(request.run_threads);
  begin.stack_owner = [&worker](const void* address) -> std::optional<unsigned> {
    const detail::Fiber* fiber = worker.stacks.owner_of(address);
    if (fiber == nullptr) return std::nullopt;
    if (fiber == worker.running()) return detail::thread_rank();
    if (!worker.stacks.is_taken(*fiber) || fiber->warp == nullptr) return std::nullopt;
    const unsigned rank = rank_in_block(*fiber, worker.grid().request.warp_size);
    return fiber->warp->block == detail::current_thread.block ? rank : record::kRankElsewhere;
  };
  begin.stack_frame = [&worker](const void* address) { return frame_at(worker, address); };
  begin.left_stack = [&worker](const void* address) { return left_stack_at(worker, address); };
  begin.has_returned = [&worker](unsigned rank) { return has_returned(worker, rank); };
  observer->launch_begin(begin);
  // A launch may have ended within a thread's atomic.
  detail::set_checked_scope(detail::checked_device_scope);
}

void LaunchObservers::end(WorkerState& worker) {
  if (worker.observer == nullptr) return;
  Grid& grid = worker.grid();
  std::uint64_t dropped = 0;
  const base::Lock lock(grid.mutex);
  // Races and unwritten values may follow from a barrier that not all threads have reached, so it comes first.
  std::vector<record::Finding> found;
  const bool has_paired = std::ranges::any_of(
      grid.findings, [](const auto& one) { return one.verdict == record::Verdict::barrier_divergence; });
  for (const ReleaseByExits& release : releases_by_exits_) {
    if (has_paired && !release.of_grid) continue;  // warps are at different numbers of barriers since
    if (auto made = released_by_exits(release, grid.request)) found.push_back(std::move(*made));
  }
  worker.observer->launch_end({grid.finding, found, dropped});
  worker.observer = worker.thread_observer = worker.access_observer = worker.unchecked_accesses = nullptr;
  worker.statement_observer = nullptr;
  list_.reset();
  others_.clear();
  grid.findings_dropped += dropped;
  std::ranges::move(found, std::back_inserter(grid.findings));
}

void LaunchObservers::note_release_by_exits(const WorkerState& worker, const ResidentBlock& block, const char* barrier,
                                            bool of_grid, Site site) {
  const Grid& grid = worker.grid();
  constexpr std::size_t kMost = 64;
  const bool passed_by = ran_to_the_end(block) && is_passed_by(grid.request.body, site);
  if (!of_grid && !passed_by && !grid.request.check.strict) return;
  const auto known = std::ranges::find(releases_by_exits_, site, &ReleaseByExits::site);
  if (known != releases_by_exits_.end()) {
    ++known->repeats;
    return;
  }
  if (releases_by_exits_.size() == kMost) return;
  ReleaseByExits& made = releases_by_exits_.emplace_back();
  made.barrier = barrier;
  made.of_grid = of_grid;
  made.site = site;
  if (!of_grid) made.number = std::uint64_t{block.barrier.phase} + 1;
  for (unsigned thread = 0; thread < block.threads; ++thread) {
    const unsigned warp = worker.warp_of(thread);
    const bool lives = (block.warp_storage[warp].live >> (thread - warp * grid.request.warp_size) & 1) != 0;
    const base::FiberId id = base::fiber_id(block.rank, thread, grid.threads);
    if (lives) {
      made.arrived.push_back(id);
      continue;
    }
    const Site place = place_of_return(block, thread);
    const auto same = std::ranges::find(made.exited, place, [](const auto& one) { return one.first; });
    (same != made.exited.end() ? *same : made.exited.emplace_back(place, std::vector<base::FiberId>()))
        .second.push_back(id);
  }
  made.follows = std::ranges::any_of(std::span(releases_by_exits_).first(releases_by_exits_.size() - 1),
                                     [&made](const auto& one) { return one.exited == made.exited; });
}

void report_threads_begin(record::Observer& observer, const ResidentBlock& block, unsigned first, unsigned last) {
  observer.threads_begin({block_id(block), first, last});
}

void report_threads_end(record::Observer& observer, const ResidentBlock& block, unsigned first, unsigned last) {
  observer.threads_end({block_id(block), first, last});
}

void report_block_release(record::Observer& observer, const ResidentBlock& block, const Site& site) {
  const record::BlockId id = block_id(block);
  observer.release({.width = record::Width::block, .blocks = {&id, 1}, .site = site});
}

void report_lane_release(record::Observer& observer, const ResidentWarp& warp,
                         const detail::PendingCollective& pending) {
  const record::BlockId id = block_id(static_cast<const ResidentBlock&>(*warp.block));
  observer.release({.width = record::Width::warp,
                    .blocks = {&id, 1},
                    .warp = warp.index,
                    .lanes = pending.arrived,
                    .mask = pending.mask,
                    .names_mask = !pending.collective->group,
                    .orders = pending.collective->orders,
                    .live = warp.live,
                    .site = warp.arguments[std::countr_zero(pending.arrived)]->site});
}

void report_group_release(record::Observer& observer, const ResidentBlock& block, const GroupRendezvous& group,
                          unsigned warp_size) {
  std::vector<unsigned> threads;
  for (const detail::GroupPart* part = group.parts; part != nullptr; part = part->next) {
    threads.push_back(rank_in_block(*part->fiber, warp_size));
  }
  if (threads.size() == block.live) return report_block_release(observer, block, group.parts->site);
  std::ranges::sort(threads);
  const record::BlockId id = block_id(block);
  observer.release({.width = record::Width::warp, .blocks = {&id, 1}, .threads = threads, .site = group.parts->site});
}

void report_cluster_release(record::Observer& observer, Cluster& cluster, unsigned warp_size) {
  const std::vector<record::BlockId> blocks = ids_of(cluster.blocks);
  if (!std::exchange(cluster.split, false)) {
    const Site& site = cluster.blocks.front()->cluster_barrier.site;
    observer.release({.width = record::Width::cluster, .blocks = blocks, .site = site});
    return;
  }
  std::vector<record::ThreadId> waiting;
  for (const ResidentBlock* member : cluster.blocks) {
    append_waiting(*member, member->cluster_barrier.waiting, warp_size, waiting);
  }
  observer.phase_end({.phase = &cluster.barrier, .cluster = blocks, .waiting = waiting});
}

void report_grid_release(record::Observer& observer, Grid& grid, std::span<ResidentBlock* const> resident) {
  if (!grid.barrier_split.exchange(false)) {
    const Site site = resident.empty() ? Site{} : resident.front()->grid_barrier.site;
    observer.release({.width = record::Width::grid, .blocks = ids_of(resident), .site = site});
    return;
  }
  std::vector<record::ThreadId> waiting;
  for (const ResidentBlock* block : resident) {
    append_waiting(*block, block->grid_barrier.waiting, grid.request.warp_size, waiting);
  }
  observer.phase_end({.phase = &grid.barrier, .waiting = waiting});
}

const void* split_phase(const Grid& grid, const ResidentBlock& block, SplitBarrier barrier) {
  switch (barrier) {
    case SplitBarrier::block: return &block.barrier;
    case SplitBarrier::cluster:
      return block.cluster != nullptr ? static_cast<const void*>(&block.cluster->barrier) : &block.alone;
    case SplitBarrier::grid: return &grid.barrier;
  }
  return nullptr;
}

}  // namespace warpfiber::engine
