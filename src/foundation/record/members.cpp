// SPDX-License-Identifier: Apache-2.0
//
// Folding ids into runs.
#include "record/members.hpp"

#include <algorithm>

#include "record/finding.hpp"

namespace warpfiber::record {
namespace {

std::vector<Run> fold(std::span<const std::uint64_t> sorted, const base::Triple& extent) {
  std::vector<Run> runs;
  for (std::size_t first = 0; first < sorted.size();) {
    std::size_t last = first;
    while (last + 1 < sorted.size() && sorted[last + 1] == sorted[last] + 1) ++last;
    runs.push_back({base::unlinear(sorted[first], extent), base::unlinear(sorted[last], extent)});
    first = last + 1;
  }
  return runs;
}

/// Threads by block: which blocks, the threads of the first one, and whether every block has the same.
struct Grouped {
  std::vector<std::uint64_t> blocks;
  std::vector<std::uint64_t> threads;
  bool uniform = true;
};

bool same_threads(std::span<const base::FiberId> ids, std::span<const std::uint64_t> threads, std::uint64_t per_block) {
  const auto thread = [per_block](base::FiberId id) { return base::thread_of(id, per_block); };
  return std::ranges::equal(ids, threads, {}, thread);
}

Grouped group(std::span<const base::FiberId> ids, std::uint64_t per_block) {
  Grouped grouped;
  while (!ids.empty()) {
    const std::uint64_t block = base::block_of(ids.front(), per_block);
    const auto end = std::ranges::lower_bound(ids, (block + 1) * per_block);
    const auto own = ids.first(static_cast<std::size_t>(end - ids.begin()));
    if (grouped.blocks.empty())
      for (const base::FiberId id : own) grouped.threads.push_back(base::thread_of(id, per_block));
    grouped.uniform = grouped.uniform && same_threads(own, grouped.threads, per_block);
    grouped.blocks.push_back(block);
    ids = ids.subspan(own.size());
  }
  return grouped;
}

std::optional<Lanes> lanes_of(std::span<const std::uint64_t> threads, unsigned warp_size) {
  if (threads.empty() || threads.front() / warp_size != threads.back() / warp_size) return std::nullopt;
  Lanes lanes{.warp = static_cast<unsigned>(threads.front() / warp_size)};
  for (const std::uint64_t thread : threads)
    lanes.mask |= base::lane_mask::only(static_cast<unsigned>(thread % warp_size));
  return lanes;
}

}  // namespace

Members members_of_threads(const LaunchFacts& launch, std::span<const base::FiberId> ids) {
  const std::uint64_t per_block = base::volume(launch.block);
  const Grouped grouped = group(ids, per_block);
  Members members{.unit = Unit::thread, .count = ids.size(), .blocks = fold(grouped.blocks, launch.grid)};
  if (!grouped.uniform) return members;
  members.whole_blocks = per_block > 1 && grouped.threads.size() == per_block;
  if (members.whole_blocks) return members;
  members.threads = fold(grouped.threads, launch.block);
  if (grouped.blocks.size() == 1) members.lanes = lanes_of(grouped.threads, launch.warp_size);
  return members;
}

Members members_of_blocks(const LaunchFacts& launch, std::span<const std::uint64_t> blocks) {
  return {.unit = Unit::block, .count = blocks.size(), .blocks = fold(blocks, launch.grid)};
}

}  // namespace warpfiber::record
