// SPDX-License-Identifier: Apache-2.0
// An arrival counts for the whole barrier, too; who waits is in a list of its own, or in that of the whole barrier.
#include "engine/arrivals/split_barriers.hpp"

#include "engine/findings/findings.hpp"
#include "engine/findings/groups.hpp"
#include "engine/rendezvous/releasing.hpp"

namespace warpfiber::engine {

using detail::current_thread;
using detail::Fiber;
using detail::Operation;
using detail::SplitBarrier;

std::uint64_t SplitBarriers::phase_of(ResidentBlock& block, SplitBarrier barrier) const {
  switch (barrier) {
    case SplitBarrier::block: return block.barrier.phase;
    case SplitBarrier::cluster: return AtClusterBarrier{block}.rendezvous().phase;
    case SplitBarrier::grid: return worker_.grid().barrier.phase();
  }
  return 0;
}

std::uint64_t SplitBarriers::arrive(SplitBarrier barrier, Site site) {
  Fiber* self = waits_.begin();
  ResidentBlock& block = worker_.block();
  if (barrier == SplitBarrier::grid) {
    note_grid_barrier(worker_.grid());
    if (!worker_.grid().request.cooperative) waits_.choosing().fail_here(grid_barrier_in_plain_launch(worker_, site));
    releasing_.wake_if_open(block);
  }
  OpenArrival& mine = open_arrival(block, detail::thread_rank(), barrier);
  if (mine.open) waits_.choosing().fail_here(arrives_twice(worker_, barrier, mine, site));
  const std::uint64_t phase = phase_of(block, barrier);
  mine = OpenArrival{true, phase, site, {}};
  ++block.open_arrivals;
  if (worker_.observer != nullptr) worker_.observer->arrive(split_phase(worker_.grid(), block, barrier));
  switch (barrier) {
    case SplitBarrier::block: arrive_at_block(block, self, site); break;
    case SplitBarrier::cluster: arrive_at_cluster(block); break;
    case SplitBarrier::grid: arrive_at_grid(block, site); break;
  }
  waits_.wait(waits_.go_on(self));
  return phase;
}

void SplitBarriers::arrive_at_block(ResidentBlock& block, Fiber* self, Site site) {
  detail::Barrier& split = block.barrier;
  if (split.arrived == 0) {
    split.site = site;
    split.kind = Operation::split_barrier;
  } else if (split.kind != Operation::split_barrier) {
    // Others of its phase are at a whole barrier. Reported once no other thread of the block can run.
    block.mismatched_arrivals.push_back(MismatchedArrival{self, site, Operation::split_barrier, false});
    waits_.wait(waits_.choosing().suspend(self));
  }
  if (++split.arrived == block.live) releasing_.release(AtBlockBarrier{block});
}

void SplitBarriers::arrive_at_cluster(ResidentBlock& block) {
  const AtClusterBarrier at{block};
  at.rendezvous().arrive();
  if (block.cluster != nullptr) block.cluster->split = true;
  releasing_.release_if_complete(at);
}

void SplitBarriers::arrive_at_grid(ResidentBlock& block, Site site) {
  detail::WideBarrier& split = block.grid_barrier;
  if (split.arrived != 0 && !split.waiting.empty() && !split.split) {
    waits_.choosing().fail_here(wide_barrier_divergence(worker_, "grid barrier", split.waiting, split.site, site));
  }
  split.site = site;
  split.split = true;
  worker_.grid().barrier_split.store(true);
  block.multi_grid = false;
  ++split.arrived;
  releasing_.release_if_complete(AtGridBarrier{block});
}

void SplitBarriers::wait(SplitBarrier barrier, std::uint64_t phase, Site site) {
  Fiber* self = waits_.begin();
  ResidentBlock& block = worker_.block();
  OpenArrival& mine = open_arrival(block, detail::thread_rank(), barrier);
  if (!mine.open) waits_.choosing().fail_here(waits_without_arrival(worker_, barrier, site));
  if (mine.phase != phase) waits_.choosing().fail_here(foreign_token(worker_, barrier, mine, site));
  if (mine.between.line != 0) waits_.choosing().fail_here(other_call_between(worker_, barrier, mine, site));
  mine.open = false;
  --block.open_arrivals;
  wait_for_phase(block, self, barrier, phase, site);
  if (worker_.observer != nullptr) worker_.observer->wait(split_phase(worker_.grid(), block, barrier));
}

std::uint64_t SplitBarriers::open_phase(SplitBarrier barrier, Site site) {
  waits_.begin();
  const OpenArrival& mine = open_arrival(worker_.block(), detail::thread_rank(), barrier);
  if (!mine.open) waits_.choosing().fail_here(waits_without_arrival(worker_, barrier, site));
  current_thread.busy = false;
  return mine.phase;
}

void SplitBarriers::wait_for_phase(ResidentBlock& block, Fiber* self, SplitBarrier barrier, std::uint64_t phase,
                                   Site site) {
  if (barrier == SplitBarrier::grid) releasing_.wake_if_open(block);
  if (phase_of(block, barrier) != phase) {
    current_thread.busy = false;
    return;
  }
  detail::WideBarrier& waits = barrier == SplitBarrier::block     ? block.split_waits
                               : barrier == SplitBarrier::cluster ? block.cluster_barrier
                                                                  : block.grid_barrier;
  waits.site = site;
  waits.waiting.append(self);
  waits_.wait(waits_.choosing().suspend(self));
}

void SplitBarriers::finish_phase_first(ResidentBlock& block, Fiber* self, SplitBarrier barrier, Site site) {
  if (block.open_arrivals == 0) return;
  OpenArrival& mine = open_arrival(block, detail::thread_rank(), barrier);
  if (!mine.open) return;
  mine.between = site;
  wait_for_phase(block, self, barrier, mine.phase, site);
  current_thread.busy = true;
}

}  // namespace warpfiber::engine
