// SPDX-License-Identifier: Apache-2.0
// What the running thread knows, from the clocks of its block.
#include "check/running/running_thread.hpp"

namespace warpfiber::check {

RunningThread::RunningThread(const ThreadNumbering& numbering, const LaunchIdentity& launch)
    : plain_(!numbering.has_clusters()), numbering_(numbering), launch_(launch) {
  const Cell ranks = ((Cell{1} << numbering.thread_bits()) - 1) << kThreadShift;
  of_block_ = ~(Cell{kPendingClock} | ranks);
  of_time_ = of_block_ | Cell{kPendingClock};
  of_warp_ = of_time_ | (ranks & ~(((Cell{1} << numbering.warp_shift()) - 1) << kThreadShift));
}

void RunningThread::begin_segment() {
  const BlockClocks& clocks = block_->clocks;
  const GridShape& shape = numbering_.shape();
  Segment& now = segment_;
  now.index = threadIdx;
  const unsigned rank = numbering_.rank_at(threadIdx);
  now.warp = numbering_.warp_of_rank(rank);
  now.time = clocks.time_of(rank, now.warp);
  now.known = clocks.known();
  now.known_of_warp = clocks.known_of_warp(now.warp);
  now.known_of_grid = clocks.known_of_grid();
  const bool may_know = numbering_.has_clusters() || keeps_all() || clocks.has_acquired(rank);
  known_of_others_ = may_know ? kPendingClock : now.known_of_grid;
  const bool uniform = numbering_.warp_shift() != 0 && clocks.is_uniform(now.warp);
  now.lanes_left =
      uniform ? std::min(shape.block.x - 1 - threadIdx.x, shape.warp_size - 1 - (rank & (shape.warp_size - 1))) : 0;
  now.cell = Cell{now.time} | numbering_.number_of(clocks.block(), rank) << kThreadShift |
             Cell{launch_.number()} << kLaunchShift | kAllBytes;
  if (every_access_) {
    now.index.x = Segment::kNobody;  // for every access anew
    now.lanes_left = 0;
  } else if (plain_ && shape.block.z == 1) {
    row_ = {.first = LaneRow::number_of(now.index),
            .count = now.lanes_left + 1U,
            .cell = now.cell,
            .tagged = now.cell | kTag};
  } else {
    row_.count = 0;
  }
}

RunningThread::Reached RunningThread::reached_by(Cell cell) const {
  const std::uint32_t time = clock_of(cell);
  const std::uint64_t block = numbering_.block_of(thread_of(cell));
  const BlockClocks& clocks = block_->clocks;
  if (time <= clocks.known_of_grid()) return Reached::grid;
  const bool of_cluster = numbering_.has_clusters() && numbering_.cluster_of(block) == block_->cluster;
  if (of_cluster && time <= clocks.known_of_cluster()) return Reached::cluster;
  if (block != numbering_.block_of(segment_.thread())) return Reached::unknown;
  if (time <= segment_.known) return Reached::block;
  const bool of_warp = numbering_.warp_of(cell) == segment_.warp;
  return of_warp && time <= segment_.known_of_warp ? Reached::warp : Reached::unknown;
}

bool RunningThread::happens_after(Cell cell) const {
  const std::uint64_t thread = thread_of(cell);
  if (thread == segment_.thread()) return true;
  const std::uint32_t time = clock_of(cell);
  const std::uint64_t block = numbering_.block_of(thread);
  const BlockClocks& clocks = block_->clocks;
  if (block == numbering_.block_of(segment_.thread())) {
    if (time <= segment_.known) return true;
    if (time <= segment_.known_of_warp && numbering_.warp_of(cell) == segment_.warp) return true;
  } else {
    if (time <= clocks.known_of_grid()) return true;
    const bool clusters = numbering_.has_clusters();
    if (clusters && time <= clocks.known_of_cluster() && numbering_.cluster_of(block) == block_->cluster) return true;
  }
  return clocks.covers(rank(), numbering_.who_of(thread), time);
}

Side RunningThread::side(const Use& use, unsigned site) const {
  return {.thread = segment_.thread(),
          .time = segment_.time,
          .launch = launch_.number(),
          .site = site,
          .write = use.write,
          .strong = use.strong,
          .scope = use.scope};
}

}  // namespace warpfiber::check
