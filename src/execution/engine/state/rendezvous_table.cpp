// SPDX-License-Identifier: Apache-2.0
// Counts threads of neighbouring warps a warp at a time, and those of other sets one by one.
#include "engine/state/rendezvous_table.hpp"

#include <algorithm>

#include "base/lane_mask.hpp"

namespace warpfiber::engine {

unsigned count_live(const ResidentBlock& block, const GroupRendezvous& group, unsigned lanes) {
  const unsigned last = std::min(group.first + group.size, block.threads);
  unsigned live = 0;
  for (unsigned at = group.first; at < last;) {
    const detail::Warp& warp = block.warp_storage[at / lanes];
    const unsigned from = at % lanes;
    const unsigned count = std::min(lanes - from, last - at);
    live += base::lane_mask::count(warp.live >> from & base::lane_mask::full(count));
    at += count;
  }
  return live;
}

unsigned count_live(const ResidentBlock& block, const SetRendezvous& group, unsigned lanes) {
  unsigned live = 0;
  group.members.each([&](unsigned thread) {
    live += base::lane_mask::has(block.warp_storage[thread / lanes].live, thread % lanes) ? 1U : 0U;
  });
  return live;
}

}  // namespace warpfiber::engine
