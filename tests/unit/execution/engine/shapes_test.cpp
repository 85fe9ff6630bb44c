// SPDX-License-Identifier: Apache-2.0
// Every thread of every shape of launch runs exactly once, whichever threads wait, whoever runs next.
#include <algorithm>
#include <string>
#include <vector>

#include "support/launches.hpp"

using namespace warpfiber;
using namespace warpfiber::test;

namespace {

struct Shape {
  dim3 grid;
  dim3 block;

  std::size_t threads() const { return std::size_t{grid.x} * grid.y * grid.z * block.x * block.y * block.z; }
};

std::ostream& operator<<(std::ostream& out, const Shape& s) {
  return out << "<<<(" << s.grid.x << ',' << s.grid.y << ',' << s.grid.z << "), (" << s.block.x << ',' << s.block.y
             << ',' << s.block.z << ")>>>";
}

// Block sizes around the warp size and the limit, rows of every kind, grids larger than the teaching device holds.
const Shape kShapes[] = {
    {1, 1},      {1, 31},      {1, 32},         {1, 33},        {3, 96},           {2, 1000},
    {2, 1024},   {100, 5},     {70, 64},        {{3, 5}, 33},   {{2, 3, 4}, 7},    {1, {32, 32}},
    {2, {7, 5}}, {2, {1, 40}}, {3, {1, 1, 64}}, {2, {4, 5, 6}}, {{2, 2}, {33, 3}}, {{1, 1, 5}, {1, 1, 3}},
};

Shape every_shape() {
  return kShapes[GENERATE(range(std::size_t{0}, std::size(kShapes)))];
}

void count_self(int* runs) {
  ++runs[global_rank()];
}

void count_self_between_barriers(int* runs) {
  atomicAdd(&runs[global_rank()], 1);
  __syncthreads();
  atomicAdd(&runs[global_rank()], 1);
  __syncwarp();
  atomicAdd(&runs[global_rank()], 1);
}

/// Threads chosen by a hash wait, so any thread may be the first to.
void count_self_after_some_waited(int* runs, unsigned salt) {
  const unsigned rank = static_cast<unsigned>(global_rank());
  atomicAdd(&runs[rank], 1);
  if ((rank * 2654435761U + salt) >> 29 == 0) return;
  if ((rank * 2246822519U + salt) >> 30 != 0) __nanosleep(10);
  __syncthreads();
  atomicAdd(&runs[rank], 1);
}

/// What the built-in variables say, as one number a thread.
void note_coordinates(uint3* threads, uint3* blocks) {
  const std::uint64_t rank = global_rank();
  if (rank % 3 == 0) __syncwarp(__lanemask_eq());
  threads[rank] = threadIdx;
  blocks[rank] = blockIdx;
}

std::vector<int> times(std::size_t threads, int each) {
  return std::vector<int>(threads, each);
}

}  // namespace

TEST_CASE("every thread runs once where nobody waits") {
  const Shape shape = every_shape();
  const Way way = every_way();
  CAPTURE(shape, way);
  const LaunchConfig config = way.apply({.grid = shape.grid, .block = shape.block});
  std::vector<int> runs(shape.threads());
  SECTION("through a function pointer") {
    good_launch(config, count_self, runs.data());
  }
  SECTION("with the body visible") {
    const LaunchResult result = launch<count_self>(config, runs.data());
    CHECK(result.ok());
  }
  SECTION("as a lambda") {
    good_launch(config, [to = runs.data()] { ++to[global_rank()]; });
  }
  CHECK(runs == times(shape.threads(), 1));
}

TEST_CASE("every thread runs once where all wait") {
  const Shape shape = every_shape();
  const Way way = every_way();
  CAPTURE(shape, way);
  const LaunchConfig config = way.apply({.grid = shape.grid, .block = shape.block});
  std::vector<int> runs(shape.threads());
  SECTION("through a function pointer") {
    good_launch(config, count_self_between_barriers, runs.data());
  }
  SECTION("with the body visible") {
    CHECK(launch<count_self_between_barriers>(config, runs.data()).ok());
  }
  CHECK(runs == times(shape.threads(), 3));
}

TEST_CASE("every thread runs once where some leave, some sleep and some wait") {
  const Shape shape = every_shape();
  const Way way = every_way();
  const unsigned salt = GENERATE(0U, 12345U, 0x80000000U);
  CAPTURE(shape, way, salt);
  std::vector<int> runs(shape.threads());
  good_launch(way.apply({.grid = shape.grid, .block = shape.block}), count_self_after_some_waited, runs.data(), salt);
  std::vector<int> expected;
  for (unsigned rank = 0; rank < runs.size(); ++rank)
    expected.push_back((rank * 2654435761U + salt) >> 29 == 0 ? 1 : 2);
  CHECK(runs == expected);
}

TEST_CASE("a grid that the device cannot hold at once runs block after block") {
  const Way way = every_way();
  const unsigned blocks = GENERATE(7U, 8U, 9U, 40U);
  CAPTURE(way, blocks);
  std::vector<int> runs(blocks * 64);
  LaunchConfig config = way.apply({.grid = blocks, .block = 64});
  config.device = find_device("teaching");
  good_launch(config, count_self_between_barriers, runs.data());
  CHECK(runs == times(runs.size(), 3));
}

TEST_CASE("x is the fastest dimension of blocks and grids") {
  const Shape shape = every_shape();
  const Way way = every_way();
  CAPTURE(shape, way);
  std::vector<uint3> threads(shape.threads());
  std::vector<uint3> blocks(shape.threads());
  good_launch(way.apply({.grid = shape.grid, .block = shape.block}), note_coordinates, threads.data(), blocks.data());
  std::size_t wrong = 0;
  std::size_t rank = 0;
  for (unsigned bz = 0; bz < shape.grid.z; ++bz)
    for (unsigned by = 0; by < shape.grid.y; ++by)
      for (unsigned bx = 0; bx < shape.grid.x; ++bx)
        for (unsigned tz = 0; tz < shape.block.z; ++tz)
          for (unsigned ty = 0; ty < shape.block.y; ++ty)
            for (unsigned tx = 0; tx < shape.block.x; ++tx, ++rank) {
              const uint3 t = threads[rank];
              const uint3 b = blocks[rank];
              wrong += !(t.x == tx && t.y == ty && t.z == tz && b.x == bx && b.y == by && b.z == bz);
            }
  CHECK(wrong == 0);
}

TEST_CASE("a kernel gets copies of its arguments, converted to its parameters") {
  std::vector<double> seen(64);
  const short small = -7;
  const auto kernel = +[](double a, unsigned char b, const double* c, double* to) { to[threadIdx.x] = a + b + *c; };
  const double half = 0.5;
  good_launch({.block = 64}, kernel, small, 300, &half, seen.data());
  CHECK(seen == std::vector<double>(64, -7 + 44 + 0.5));
}

TEST_CASE("a launch of many blocks without waiting counts every thread, also in its quick rows") {
  const Way way = every_way();
  CAPTURE(way);
  constexpr unsigned kBlocks = 3000, kThreads = 33;
  std::vector<int> runs(std::size_t{kBlocks} * kThreads);
  // The last blocks wait, after thousands that did not.
  good_launch(way.apply({.grid = kBlocks, .block = kThreads}), [to = runs.data()] {
    ++to[global_rank()];
    if (blockIdx.x > 2900 && threadIdx.x % 3 == 1) __syncwarp(__lanemask_eq());
    if (blockIdx.x > 2950) __syncthreads();
    ++to[global_rank()];
  });
  CHECK(runs == times(runs.size(), 2));
}
