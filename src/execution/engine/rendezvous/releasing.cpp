// SPDX-License-Identifier: Apache-2.0
// The one release, and the one check when threads return; then what each kind of rendezvous does in their steps.
#include "engine/rendezvous/releasing.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "base/lane_mask.hpp"
#include "base/locks/annotated_mutex.hpp"
#include "engine/findings/findings.hpp"
#include "engine/findings/groups.hpp"
#include "engine/state/circles/spin_history.hpp"
#include "record/mistake.hpp"

namespace warpfiber::engine {

using detail::Operation;
using machine::RendezvousKind;

namespace {

/// Of the barrier that the block's threads go to: its grid's, or that of several grids.
std::uint64_t wide_phase_of(const Grid& grid, const ResidentBlock& block) {
  return block.multi_grid ? grid.request.multi->phase() : grid.barrier.phase();
}

bool is_open(const Grid& grid, const ResidentBlock& block) {
  return block.at_grid_barrier && block.grid_phase != wide_phase_of(grid, block);
}

/// Where blocks of `grid` are counted.
machine::SharedRendezvous& blocks_at(Grid& grid, bool multi_grid) {
  return multi_grid ? grid.multi_barrier : grid.barrier;
}

/// No warp of the block is divided between barrier calls: all its threads that live wait at one of them.
bool are_whole_warps(const ResidentBlock& block) {
  struct Elsewhere {
    base::LaneMask lanes = 0;
    Site site{};
  };
  std::vector<Elsewhere> of_warp(block.warp_storage.size());
  for (const MismatchedArrival& one : block.mismatched_arrivals) {
    if (one.kind != block.barrier.kind) return false;
    Elsewhere& seen = of_warp[one.fiber->warp->index];
    if (seen.lanes != 0 && !(seen.site == one.site)) return false;
    seen.site = one.site;
    seen.lanes |= base::LaneMask{1} << one.fiber->lane;
  }
  for (std::size_t warp = 0; warp < of_warp.size(); ++warp) {
    if (of_warp[warp].lanes != 0 && of_warp[warp].lanes != block.warp_storage[warp].live) return false;
  }
  return true;
}

/// A finding of the launch, which goes on.
void note_paired_barriers(WorkerState& worker, const ResidentBlock& block) {
  constexpr std::size_t kMost = 64;
  record::Finding made = barrier_divergence(worker, block, record::Mistake::block_barriers_paired);
  Grid& grid = worker.grid();
  const base::Lock lock(grid.mutex);
  const auto known = std::ranges::find_if(grid.findings, [&made](const record::Finding& one) {
    return one.verdict == made.verdict &&
           std::ranges::equal(one.parties, made.parties, {}, &record::Party::place, &record::Party::place);
  });
  if (known != grid.findings.end()) {
    ++known->repeats;
  } else if (grid.findings.size() < kMost) {
    grid.findings.push_back(std::move(made));
  }
}

}  // namespace

template <class Place>
void Releasing::complete(const Place& at) {
  static_assert(machine::has_phase(Place::kKind));
  if (worker_.observer != nullptr) report(at);
  end_phase(at);
  if (worker_.thread->notes_polls) note_met(at);
  if (worker_.idlers == 0 || !all_idle(at)) count_meeting(at);
  if constexpr (traits_of(Place::kKind).statistics == machine::Statistics::counted) ++worker_.barriers;
}

/// Whether all who meet are in loops that change nothing by which they could leave them: they do not get on by that.
template <class Place>
bool Releasing::all_idle(const Place& at) const {
  constexpr bool kAllListed = Place::kKind == RendezvousKind::lanes || Place::kKind == RendezvousKind::block_barrier ||
                              Place::kKind == RendezvousKind::group;
  if constexpr (kAllListed) {
    if (!worker_.in_kernel() || !idles(*worker_.running())) return false;
    unsigned count = 1;
    bool all = true;
    at.waiting().each([&](const detail::Fiber* fiber) {
      ++count;
      all = all && idles(*fiber);
    });
    // Others may have arrived at a block's barrier without waiting there.
    if constexpr (Place::kKind == RendezvousKind::block_barrier) all = all && count == at.members();
    return all;
  } else {
    constexpr bool kOfWorker = requires {
      at.block;
    }
    || Place::kKind == RendezvousKind::named_barrier;
    const Grid& grid = worker_.grid();
    return (kOfWorker || (grid.workers.size() == 1 && grid.request.multi == nullptr)) && all_threads_idle();
  }
}

/// The same of all threads of the worker's blocks.
bool Releasing::all_threads_idle() const {
  std::uint64_t threads = 0;
  for (const ResidentBlock* block : worker_.resident) threads += block->live;
  return worker_.idlers == threads;
}

/// Where all who meet are the worker's own, they may be in a circle.
template <class Place>
void Releasing::count_meeting(const Place& at) {
  ++worker_.thread->progress;
  constexpr bool kSmall = Place::kKind == RendezvousKind::lanes || Place::kKind == RendezvousKind::named_barrier;
  if constexpr (kSmall) {
    worker_.meetings.note(1);
  } else if constexpr (requires { at.block; }) {
    worker_.meetings.note(1 + at.block.threads / 32);
  } else if (worker_.grid().workers.size() == 1) {
    worker_.meetings.note(1);
  }
}

/// A vote wants to know that they have run since it began.
template <class Place>
void Releasing::note_met(const Place& at) {
  if constexpr (requires { at.waiting(); })
    at.waiting().each([](const detail::Fiber* fiber) { ++fiber->more->passes; });
  if (worker_.in_kernel()) ++worker_.running()->more->passes;
}

template <class Place>
void Releasing::release(const Place& at) {
  complete(at);
  wake(at);
}

template <class Place>
void Releasing::release_if_complete(const Place& at) {
  if (is_complete(at)) release(at);
}

void Releasing::pair_whole_warps(ResidentBlock& block) {
  detail::Barrier& barrier = block.barrier;
  if (barrier.arrived + block.mismatched_arrivals.size() != block.live || !are_whole_warps(block)) return;
  if (is_rerun(worker_, block)) return;  // its results are void
  if (worker_.grid().request.check.asked) note_paired_barriers(worker_, block);
  for (const MismatchedArrival& one : block.mismatched_arrivals) {
    ++barrier.arrived;
    barrier.count += one.predicate;
    barrier.waiting.append(one.fiber);
  }
  block.mismatched_arrivals.clear();
  release(AtBlockBarrier{block});
}

void Releasing::recheck(ResidentBlock& block, std::span<ResidentWarp> warps, unsigned count) {
  ++worker_.thread->progress;
  if (!block.mismatched_arrivals.empty()) pair_whole_warps(block);
  if (block.cluster != nullptr) block.cluster->barrier.leave(count);
  each_rendezvous(block, warps, [this]<class Place>(Place at) {
    if constexpr (Place::kKind == RendezvousKind::group) at.recount(worker_.grid().request.warp_size);
    if constexpr (machine::has_phase(Place::kKind)) release_if_complete(at);
  });
}

// What is reported.

void Releasing::report(const AtBlockBarrier& at) {
  const detail::Barrier& barrier = at.block.barrier;
  if (barrier.kind == Operation::split_barrier) return worker_.observer->phase_end({.phase = &barrier});
  report_block_release(*worker_.observer, at.block, barrier.site);
  report_exits(at.block, traits_of(at.kKind).name, false, barrier.site);
}

void Releasing::report(const AtClusterBarrier& at) {
  if (at.block.cluster == nullptr) return report_block_release(*worker_.observer, at.block, Site{});
  report_cluster_release(*worker_.observer, *at.block.cluster, worker_.grid().request.warp_size);
}

void Releasing::report(const AtGridBarrier& at) {
  const detail::WideBarrier& barrier = at.block.grid_barrier;
  if (!barrier.split)
    report_exits(at.block, at.block.multi_grid ? "multi_grid.sync()" : "grid.sync()", true, barrier.site);
}

void Releasing::report(const AtAllBlocks&) {
  report_grid_release(*worker_.observer, worker_.grid(), worker_.resident);
}

void Releasing::report(const AtNamedBarrier& at) {
  worker_.observer->phase_end({.phase = at.barrier.token()});
}

void Releasing::report(const AtLanes& at) {
  report_lane_release(*worker_.observer, at.warp, at.pending);
}

template <class Group>
void Releasing::report(const AtGroup<Group>& at) {
  report_group_release(*worker_.observer, at.block, at.group, worker_.grid().request.warp_size);
}

/// Checks have a finding where a barrier is complete because threads have exited.
void Releasing::report_exits(const ResidentBlock& block, const char* barrier, bool of_grid, const Site& site) {
  if (worker_.grid().request.checked() && block.live != block.threads)
    observers_.note_release_by_exits(worker_, block, barrier, of_grid, site);
}

// How phases end.

void Releasing::end_phase(const AtBlockBarrier& at) {
  detail::Barrier& barrier = at.block.barrier;
  const detail::Formula formula = detail::row_of(barrier.kind).formula;
  barrier.result = detail::is_vote(formula)
                       ? static_cast<unsigned>(detail::vote_result(formula, barrier.count, barrier.arrived))
                       : 0;
  barrier.arrived = barrier.count = 0;
  ++barrier.phase;
}

void Releasing::end_phase(const AtClusterBarrier& at) {
  at.rendezvous().complete();
}

void Releasing::end_phase(const AtGridBarrier& at) {
  at.block.grid_barrier.arrived = 0;
  at.block.grid_phase = wide_phase_of(worker_.grid(), at.block);
  at.block.at_grid_barrier = true;
}

void Releasing::end_phase(const AtAllBlocks& at) {
  blocks_at(worker_.grid(), at.multi_grid).complete();
}

void Releasing::end_phase(const AtAllGrids& at) {
  at.grids.complete();
}

void Releasing::end_phase(const AtNamedBarrier& at) {
  NamedBarrier& barrier = at.barrier;
  const std::uint64_t phase = barrier.rendezvous.phase;
  barrier.rendezvous.complete();
  const unsigned readers = barrier.votes.threads;
  if (readers != 0) barrier.ended[phase] = {std::exchange(barrier.votes, {}), readers};
}

/// The last lane to arrive computes for all; lanes of a convoy have computed already.
void Releasing::end_phase(const AtLanes& at) {
  detail::PendingCollective& pending = at.pending;
  std::uint64_t row[detail::kMaxWarpSize];
  std::uint64_t* offered = row;
  if (pending.taking != 0) {
    detail::Convoy& convoy = *pending.convoy;
    offered = convoy.offered;
    machine::withdraw(offered, pending.mask & ~pending.arrived);
    std::swap(convoy.offered, convoy.offered_next);
  }
  const record::ScopedPause pause(worker_.observer);
  pending.collective->complete(detail::Meeting{at.warp.arguments, pending.arrived, pending.arrived & ~pending.taking,
                                               offered, worker_.grid().request.warp_size,
                                               worker_.grid().request.capability});
  pending.arrived = pending.taking = 0;
  at.warp.met = true;
}

/// What computes the results may be code of the program.
template <class Group>
void Releasing::end_phase(const AtGroup<Group>& at) {
  GroupRendezvous& group = at.group;
  std::fill_n(parts_, group.size, nullptr);
  for (detail::GroupPart* part = group.parts; part != nullptr; part = part->next) parts_[part->rank] = part;
  group.rendezvous.complete();
  --at.block.open_groups;
  const record::ScopedPause pause(worker_.observer);
  group.collective->complete(detail::GroupMeeting{parts_, group.size});
}

// Who can run.

template <class Place>
void Releasing::wake_waiting(const Place& at) {
  constexpr bool kBefore = traits_of(Place::kKind).turn == machine::Turn::before;
  choosing_.make_ready(at.block, at.waiting(),
                       kBefore && worker_.releases.in_a_row() && !worker_.meetings.is_near_look());
}

template <class Place>
void Releasing::wake(const Place& at) {
  wake_waiting(at);
}

void Releasing::wake(const AtBlockBarrier& at) {
  wake_waiting(at);
  wake_waiting(AtSplitBarrier{at.block});
}

/// The thread that completes the barrier of several blocks has waited, too. So it alone counts the release.
void Releasing::wake(const AtClusterBarrier& at) {
  if (at.block.cluster == nullptr) return wake_waiting(at);
  worker_.releases.note();
  for (ResidentBlock* member : at.block.cluster->blocks) wake_waiting(AtClusterBarrier{*member});
}

/// Of the block's threads none can run yet: it arrives at the barrier of its grid. The last block opens that for all.
void Releasing::wake(const AtGridBarrier& at) {
  const bool multi_grid = at.block.multi_grid;
  Grid& grid = worker_.grid();
  if (blocks_at(grid, multi_grid).arrive(grid.blocks)) release(AtAllBlocks{multi_grid});
}

/// Each worker wakes its own threads.
void Releasing::wake(const AtAllBlocks& at) {
  Grid& grid = worker_.grid();
  if (!at.multi_grid) return grid.notify();
  MultiGrid& grids = *grid.request.multi;
  if (grids.arrive()) release(AtAllGrids{grids});
}

void Releasing::wake(const AtAllGrids& at) {
  at.grids.notify();
}

void Releasing::wake(const AtGroup<SetRendezvous>& at) {
  wake_waiting(at);
  at.block.sets->close(at.group);
}

bool Releasing::wake_if_open(ResidentBlock& block) {
  if (!is_open(worker_.grid(), block)) return false;
  block.at_grid_barrier = false;
  wake_waiting(AtGridBarrier{block});
  return true;
}

bool Releasing::wake_open() {
  bool any = false;
  for (ResidentBlock* block : worker_.resident) any = wake_if_open(*block) || any;
  return any;
}

bool has_open_barrier(const WorkerState& worker) {
  return std::any_of(worker.resident.begin(), worker.resident.end(),
                     [&worker](const ResidentBlock* block) { return is_open(worker.grid(), *block); });
}

template void Releasing::release(const AtBlockBarrier&);
template void Releasing::release(const AtNamedBarrier&);
template void Releasing::release(const AtLanes&);
template void Releasing::release(const AtGroup<GroupRendezvous>&);
template void Releasing::release(const AtGroup<SetRendezvous>&);
template void Releasing::release_if_complete(const AtClusterBarrier&);
template void Releasing::release_if_complete(const AtGridBarrier&);
template void Releasing::complete(const AtLanes&);

// A row of three arrivals for each thread of the block, made when the first of them arrives.
using detail::SplitBarrier;

OpenArrival& open_arrival(ResidentBlock& block, unsigned thread, SplitBarrier barrier) {
  const std::size_t needed = std::size_t{block.threads} * kSplitBarriers;
  if (block.arrivals.size() < needed) block.arrivals.resize(needed);
  return block.arrivals[std::size_t{thread} * kSplitBarriers + static_cast<unsigned>(barrier)];
}

void note_between(ResidentBlock& block, SplitBarrier barrier, Site site) {
  if (block.open_arrivals == 0) return;
  OpenArrival& mine = open_arrival(block, detail::thread_rank(), barrier);
  if (mine.open) mine.between = site;
}

void check_open_arrivals(const WorkerState& worker, Choosing& choosing, ResidentBlock& block) {
  for (unsigned kind = 0; kind < kSplitBarriers; ++kind) {
    const auto barrier = static_cast<SplitBarrier>(kind);
    const OpenArrival& mine = open_arrival(block, detail::thread_rank(), barrier);
    if (mine.open) choosing.fail_here(never_waits(worker, barrier, mine));
  }
}

}  // namespace warpfiber::engine
