// SPDX-License-Identifier: Apache-2.0
//
// Folding threads and blocks into runs, against unfolding them one by one.
#include "record/members.hpp"

#include <set>
#include <vector>

#include "base/random.hpp"
#include "record/finding.hpp"
#include "support/catch.hpp"

using namespace warpfiber;
using namespace warpfiber::record;

namespace {

LaunchFacts launch_of(base::Triple grid, base::Triple block) {
  return {.kernel = "k", .grid = grid, .block = block};
}

std::set<std::uint64_t> unfold(const std::vector<Run>& runs, const base::Triple& extent) {
  std::set<std::uint64_t> indices;
  for (const Run& run : runs)
    for (std::uint64_t i = base::linear_index(run.first, extent); i <= base::linear_index(run.last, extent); ++i)
      REQUIRE(indices.insert(i).second);
  return indices;
}

/// The threads of each listed block.
std::vector<base::FiberId> threads_of(const std::vector<std::uint64_t>& blocks,
                                      const std::vector<std::uint64_t>& threads, std::uint64_t per_block) {
  std::vector<base::FiberId> ids;
  for (const std::uint64_t block : blocks)
    for (const std::uint64_t thread : threads) ids.push_back(base::fiber_id(block, thread, per_block));
  return ids;
}

}  // namespace

TEST_CASE("blocks fold into runs and unfold to the same blocks") {
  const LaunchFacts launch = launch_of({5, 4, 3}, {1, 1, 1});
  base::Random random(GENERATE(range(0u, 20u)));
  std::vector<std::uint64_t> blocks;
  for (std::uint64_t block = 0; block < 60; ++block)
    if (random.below(3) != 0) blocks.push_back(block);
  const Members members = members_of_blocks(launch, blocks);
  CHECK(members.unit == Unit::block);
  CHECK(members.count == blocks.size());
  CHECK(unfold(members.blocks, launch.grid) == std::set<std::uint64_t>(blocks.begin(), blocks.end()));
}

TEST_CASE("neighbours across a row are one run") {
  const LaunchFacts launch = launch_of({4, 2, 1}, {1, 1, 1});
  const Members members = members_of_blocks(launch, std::vector<std::uint64_t>{2, 3, 4, 7});
  CHECK(members.blocks == std::vector<Run>{{{2, 0, 0}, {0, 1, 0}}, {{3, 1, 0}, {3, 1, 0}}});
}

TEST_CASE("the same threads of many blocks are listed once") {
  const LaunchFacts launch = launch_of({160, 1, 1}, {256, 1, 1});
  std::vector<std::uint64_t> blocks(132);
  for (std::uint64_t i = 0; i < blocks.size(); ++i) blocks[i] = i;
  const Members members = members_of_threads(launch, threads_of(blocks, {0}, 256));
  CHECK(members.count == 132);
  CHECK(members.blocks == std::vector<Run>{{{0, 0, 0}, {131, 0, 0}}});
  CHECK(members.threads == std::vector<Run>{{{0, 0, 0}, {0, 0, 0}}});
  CHECK_FALSE(members.whole_blocks);
  CHECK_FALSE(members.lanes.has_value());
}

TEST_CASE("all threads of some blocks are whole blocks") {
  const LaunchFacts launch = launch_of({3, 1, 1}, {2, 2, 1});
  const Members members = members_of_threads(launch, threads_of({0, 2}, {0, 1, 2, 3}, 4));
  CHECK(members.whole_blocks);
  CHECK(members.threads.empty());
  CHECK(members.blocks.size() == 2);
}

TEST_CASE("other threads in every block leave only the blocks") {
  const LaunchFacts launch = launch_of({3, 1, 1}, {4, 1, 1});
  const std::vector<base::FiberId> ids =
      GENERATE(std::vector<base::FiberId>{0, 1, 4, 6}, std::vector<base::FiberId>{0, 4, 5});
  const Members members = members_of_threads(launch, ids);
  CHECK(members.count == ids.size());
  CHECK(members.threads.empty());
  CHECK_FALSE(members.whole_blocks);
  CHECK(members.blocks == std::vector<Run>{{{0, 0, 0}, {1, 0, 0}}});
}

TEST_CASE("threads of a single warp are known as its lanes") {
  LaunchFacts launch = launch_of({2, 1, 1}, {8, 16, 1});
  launch.warp_size = GENERATE(16u, 32u, 64u);
  const std::uint64_t first = 64;
  const Members members = members_of_threads(launch, threads_of({1}, {first, first + 1, first + 5}, 128));
  REQUIRE(members.lanes.has_value());
  CHECK(members.lanes->warp == first / launch.warp_size);
  CHECK(members.lanes->mask == 0b100011);
  CHECK(members.threads == std::vector<Run>{{{0, 8, 0}, {1, 8, 0}}, {{5, 8, 0}, {5, 8, 0}}});
}

TEST_CASE("threads of two warps are not lanes") {
  const LaunchFacts launch = launch_of({1, 1, 1}, {64, 1, 1});
  CHECK_FALSE(members_of_threads(launch, threads_of({0}, {31, 32}, 64)).lanes.has_value());
}

TEST_CASE("nobody folds to nobody") {
  const LaunchFacts launch = launch_of({2, 1, 1}, {32, 1, 1});
  const Members members = members_of_threads(launch, {});
  CHECK(members.count == 0);
  CHECK(members.blocks.empty());
  CHECK_FALSE(members.whole_blocks);
}
