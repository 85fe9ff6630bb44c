// SPDX-License-Identifier: Apache-2.0
// Barriers of a block, a cluster and a grid that are split into an arrival, which does not wait, and a wait. They share
// the phases of the barriers that are not split (waiting.cpp, wide_barrier.cpp). NVIDIA's headers split the cluster's
// and the grid's barrier and make the block's wait a whole barrier; a program that keeps the rules sees no difference.
#include <utility>

#include "engine/findings/groups.hpp"
#include "engine/worker.hpp"

namespace warpfiber::engine {

using detail::BarrierKind;
using detail::current_thread;
using detail::Fiber;
using detail::SplitBarrier;

OpenArrival& Worker::open_arrival(ResidentBlock& block, unsigned thread, SplitBarrier barrier) {
  const std::size_t needed = std::size_t{block.threads} * kSplitBarriers;
  if (block.arrivals.size() < needed) block.arrivals.resize(needed);
  return block.arrivals[std::size_t{thread} * kSplitBarriers + static_cast<unsigned>(barrier)];
}

std::uint64_t Worker::phase_of(const ResidentBlock& block, SplitBarrier barrier) const {
  switch (barrier) {
    case SplitBarrier::block: return block.barrier.phase;
    case SplitBarrier::cluster: return block.cluster != nullptr ? block.cluster->barrier.phase : block.alone.phase;
    case SplitBarrier::grid: return grid_->barrier.phase();
  }
  return 0;
}

std::uint64_t Worker::arrive_split(SplitBarrier barrier, Site site) {
  Fiber* self = begin_wait();
  ResidentBlock& block = this->block();
  if (barrier == SplitBarrier::grid) {
    note_grid_barrier();
    if (!grid_->request.cooperative) fail_here(grid_barrier_in_plain_launch(*this, site));
    release_if_open(block);
  }
  OpenArrival& mine = open_arrival(block, detail::thread_rank(), barrier);
  if (mine.open) fail_here(arrives_twice(*this, barrier, mine, site));
  const std::uint64_t phase = phase_of(block, barrier);
  mine = OpenArrival{true, phase, site, {}};
  ++block.open_arrivals;
  if (observer_ != nullptr) observer_->arrive(split_phase(*grid_, block, barrier));
  switch (barrier) {
    case SplitBarrier::block: arrive_split_at_block(block, self, site); break;
    case SplitBarrier::cluster: arrive_split_at_cluster(block); break;
    case SplitBarrier::grid: arrive_split_at_grid(block, site); break;
  }
  wait(go_on(self));
  return phase;
}

void Worker::arrive_split_at_block(ResidentBlock& block, Fiber* self, Site site) {
  detail::Barrier& split = block.barrier;
  if (split.arrived == 0) {
    split.site = site;
    split.kind = BarrierKind::split;
  } else if (split.kind != BarrierKind::split) {
    // Others of its phase stand at a whole barrier. Reported once nobody else of the block can run.
    block.mismatched_arrivals.push_back(MismatchedArrival{self, site});
    wait(suspend(self));
  }
  if (++split.arrived == block.live) release_barrier(block);
}

void Worker::arrive_split_at_cluster(ResidentBlock& block) {
  if (block.cluster != nullptr) {
    block.cluster->barrier.arrive();
    block.cluster->split = true;
  } else {
    block.alone.arrive();
  }
  recheck_wide(block);
}

void Worker::arrive_split_at_grid(ResidentBlock& block, Site site) {
  detail::WideBarrier& split = block.grid_barrier;
  if (split.arrived != 0 && !split.waiting.empty() && !split.split) {
    fail_here(wide_barrier_divergence(*this, "grid barrier", split.waiting, split.site, site));
  }
  split.site = site;
  split.split = true;
  grid_->barrier_split.store(true);
  block.multi_grid = false;
  ++split.arrived;
  recheck_wide(block);
}

void Worker::wait_split(SplitBarrier barrier, std::uint64_t phase, Site site) {
  Fiber* self = begin_wait();
  ResidentBlock& block = this->block();
  OpenArrival& mine = open_arrival(block, detail::thread_rank(), barrier);
  if (!mine.open) fail_here(waits_without_arrival(*this, barrier, site));
  if (mine.phase != phase) fail_here(foreign_token(*this, barrier, mine, site));
  if (mine.between.line != 0) fail_here(other_call_between(*this, barrier, mine, site));
  mine.open = false;
  --block.open_arrivals;
  wait_for_phase(block, self, barrier, phase, site);
  if (observer_ != nullptr) observer_->wait(split_phase(*grid_, block, barrier));
}

std::uint64_t Worker::open_phase(SplitBarrier barrier, Site site) {
  begin_wait();
  const OpenArrival& mine = open_arrival(block(), detail::thread_rank(), barrier);
  if (!mine.open) fail_here(waits_without_arrival(*this, barrier, site));
  current_thread.busy = false;
  return mine.phase;
}

void Worker::wait_for_phase(ResidentBlock& block, Fiber* self, SplitBarrier barrier, std::uint64_t phase, Site site) {
  if (barrier == SplitBarrier::grid) release_if_open(block);
  if (phase_of(block, barrier) != phase) {
    current_thread.busy = false;
    return;
  }
  detail::WideBarrier& waits = barrier == SplitBarrier::block     ? block.split_waits
                               : barrier == SplitBarrier::cluster ? block.cluster_barrier
                                                                  : block.grid_barrier;
  waits.site = site;
  waits.waiting.append(self);
  wait(suspend(self));
}

/// The running thread comes to a whole barrier of the group. If it has arrived at the split one and not yet waited,
/// that is misuse, which is reported where the wait is; until then the thread does what it would on a device.
void Worker::finish_phase_first(ResidentBlock& block, Fiber* self, SplitBarrier barrier, Site site) {
  if (block.open_arrivals == 0) return;
  OpenArrival& mine = open_arrival(block, detail::thread_rank(), barrier);
  if (!mine.open) return;
  mine.between = site;
  wait_for_phase(block, self, barrier, mine.phase, site);
  current_thread.busy = true;
}

/// The running thread comes to a collective of the group that has a rendezvous of its own, and so no phase to finish.
void Worker::note_between(ResidentBlock& block, SplitBarrier barrier, Site site) {
  if (block.open_arrivals == 0) return;
  OpenArrival& mine = open_arrival(block, detail::thread_rank(), barrier);
  if (mine.open) mine.between = site;
}

/// A thread returns. If it has arrived somewhere and not waited, that ends the launch.
void Worker::check_open_arrivals(ResidentBlock& block, const Fiber& self) {
  threadIdx = self.thread_index;  // the loop that ran the thread has gone on to the next
  for (unsigned kind = 0; kind < kSplitBarriers; ++kind) {
    const auto barrier = static_cast<SplitBarrier>(kind);
    const OpenArrival& mine = open_arrival(block, detail::thread_rank(), barrier);
    if (mine.open) fail_here(never_waits(*this, barrier, mine));
  }
}

}  // namespace warpfiber::engine
