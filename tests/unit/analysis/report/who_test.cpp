// SPDX-License-Identifier: Apache-2.0
//
// How members are named, from a single lane to most of a grid.
#include "report/names.hpp"

#include <vector>

#include "support/catch.hpp"

using namespace warpfiber;
using namespace warpfiber::report;
using record::LaunchFacts;
using record::Members;

namespace {

using Numbers = std::vector<std::uint64_t>;

LaunchFacts launch_of(base::Triple grid, base::Triple block) {
  return {.kernel = "k", .grid = grid, .block = block};
}

Members threads(const LaunchFacts& launch, const Numbers& blocks, const Numbers& each) {
  std::vector<base::FiberId> ids;
  for (const std::uint64_t block : blocks)
    for (const std::uint64_t thread : each) ids.push_back(base::fiber_id(block, thread, base::volume(launch.block)));
  return record::members_of_threads(launch, ids);
}

Numbers up_to(std::uint64_t end) {
  Numbers numbers;
  for (std::uint64_t i = 0; i < end; ++i) numbers.push_back(i);
  return numbers;
}

}  // namespace

TEST_CASE("threads of one block among several") {
  const LaunchFacts launch = launch_of({4, 1, 1}, {64, 1, 1});
  const auto [each, text] = GENERATE(table<Numbers, std::string>({
      {{5}, "thread (5,0,0) of block (2,0,0)"},
      {{16, 17, 18, 31}, "lanes 16-18, 31 of warp 0 of block (2,0,0)"},
      {{31, 32}, "threads 31-32 of block (2,0,0)"},
      {{0, 2, 32, 40, 41}, "threads 0, 2, 32 and 2 more of block (2,0,0)"},
      {up_to(32), "threads 0-31 (warp 0) of block (2,0,0)"},
      {up_to(64), "all threads of block (2,0,0)"},
  }));
  CHECK(who_text(threads(launch, {2}, each), launch) == text);
}

TEST_CASE("the only block of a launch is not named") {
  const LaunchFacts launch = launch_of({1, 1, 1}, {8, 8, 1});
  CHECK(who_text(threads(launch, {0}, {9}), launch) == "thread (1,1,0)");
  CHECK(who_text(threads(launch, {0}, {31, 32, 33}), launch) == "threads (7,3,0) … (1,4,0)");
  CHECK(who_text(threads(launch, {0}, up_to(64)), launch) == "all threads");
}

TEST_CASE("threads of many blocks") {
  const LaunchFacts launch = launch_of({160, 1, 1}, {256, 1, 1});
  CHECK(who_text(threads(launch, up_to(132), {0}), launch) == "block (0,0,0) … (131,0,0), thread 0 of each");
  CHECK(who_text(threads(launch, {0, 1, 5, 9, 11}, {1, 2}), launch) ==
        "block (0,0,0) … (1,0,0), (5,0,0), (9,0,0) and 1 more, threads 1-2 of each");
  CHECK(who_text(threads(launch, up_to(7), up_to(256)), launch) == "all of block (0,0,0) … (6,0,0)");
  CHECK(who_text(record::members_of_threads(launch, std::vector<std::uint64_t>{0, 257}), launch) ==
        "in block (0,0,0) … (1,0,0)");
}

TEST_CASE("blocks are counted as blocks, threads as threads, one thread each as blocks") {
  const LaunchFacts launch = launch_of({160, 1, 1}, {256, 1, 1});
  CHECK(count_text(record::members_of_blocks(launch, up_to(28))) == "28 blocks");
  CHECK(count_text(threads(launch, {3}, {3})) == "1 thread");
  CHECK(count_text(threads(launch, up_to(132), up_to(255))) == "33,660 threads");
  CHECK(count_text(threads(launch, up_to(132), {0})) == "132 blocks");
}

TEST_CASE("nobody has no name") {
  CHECK(who_text({.count = 5}, launch_of({2, 1, 1}, {32, 1, 1})).empty());
}
