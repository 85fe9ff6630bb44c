// SPDX-License-Identifier: Apache-2.0
// A row of three arrivals for each thread of the block, made when the first of them arrives.
#include "engine/rendezvous/open_arrivals.hpp"

#include "engine/findings/groups.hpp"

namespace warpfiber::engine {

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
