// SPDX-License-Identifier: Apache-2.0
// Cooperative launches: the grid barrier over many phases, on one and two workers, with as many blocks as fit.
#include <vector>

#include "support/launches.hpp"
#include "support/repetitions.hpp"

using namespace warpfiber;
using namespace warpfiber::test;

namespace {

LaunchConfig cooperative(const Way& way, dim3 grid, dim3 block, const char* device = "H200") {
  LaunchConfig config = way.apply({.grid = grid, .block = block, .cooperative = true});
  config.device = find_device(device);
  return config;
}

/// Row r, column c is row r-1, opposite column, plus 1.
void write_rows(int* cells, unsigned rows) {
  const unsigned columns = gridDim.x * blockDim.x;
  const auto column = static_cast<unsigned>(global_rank());
  for (unsigned row = 1; row < rows; ++row) {
    cells[row * columns + column] = cells[(row - 1) * columns + columns - 1 - column] + 1;
    sync_grid();
  }
}

/// The last row of a grid whose first row is 0 … columns-1.
std::vector<int> last_row(unsigned columns, unsigned rows) {
  std::vector<int> row(columns);
  for (unsigned c = 0; c < columns; ++c) {
    const bool turned = (rows - 1) % 2 != 0;
    row[c] = static_cast<int>((turned ? columns - 1 - c : c) + rows - 1);
  }
  return row;
}

void check_rows(const LaunchConfig& config, unsigned rows) {
  const unsigned columns = config.grid.x * config.block.x;
  std::vector<int> cells(std::size_t{columns} * rows, -1000);
  for (unsigned c = 0; c < columns; ++c) cells[c] = static_cast<int>(c);
  good_launch(config, write_rows, cells.data(), rows);
  CHECK(std::vector<int>(cells.end() - columns, cells.end()) == last_row(columns, rows));
}

}  // namespace

TEST_CASE("rows are written one after another by the whole grid") {
  const Way way = every_way();
  const unsigned blocks = GENERATE(1U, 2U, 5U, 16U);
  const unsigned threads = GENERATE(1U, 32U, 50U);
  CAPTURE(way, blocks, threads);
  check_rows(cooperative(way, blocks, threads), 30);
}

TEST_CASE("a cooperative grid may be as large as the device holds") {
  const Way way = every_way();
  CAPTURE(way);
  // Two SMs with 512 threads and four blocks each.
  const auto [blocks, threads] = GENERATE(std::pair{4U, 256U}, std::pair{8U, 128U}, std::pair{8U, 1U});
  check_rows(cooperative(way, blocks, threads, "teaching"), 7);
}

TEST_CASE("a grid barrier of one worker's thousand blocks keeps all of them in step") {
  const unsigned workers = GENERATE(1U, 2U);
  CAPTURE(workers);
  check_rows(cooperative({"in-order", workers, 0}, 1056, 32), 9);
}

TEST_CASE("threads other than the first may leave before a grid barrier") {
  const Way way = every_way();
  CAPTURE(way);
  std::vector<int> seen(6 * 64);
  std::vector<int> done(1);
  good_launch(cooperative(way, 6, 64), [&seen, &done] {
    if (threadIdx.x != 0 && threadIdx.x % 3 == 0) return;
    atomicAdd(&done[0], 1);
    sync_grid();
    seen[global_rank()] = atomicAdd(&done[0], 0);
  });
  // Of 64 threads 21 leave.
  for (std::size_t i = 0; i < seen.size(); ++i) CHECK(seen[i] == (i % 64 != 0 && i % 64 % 3 == 0 ? 0 : 6 * 43));
}

TEST_CASE("block barriers, warp rendezvous and grid barriers follow one another") {
  const Way way = every_way();
  CAPTURE(way);
  std::vector<int> sums(20);
  std::vector<int> wrong(1);
  good_launch(cooperative(way, 5, 96), [&sums, &wrong] {
    for (int step = 0; step < 20; ++step) {
      WARPFIBER_SHARED(int, sum);
      if (threadIdx.x == 0) sum = 0;
      __syncthreads();
      const unsigned together = __ballot_sync(0xffffffffU, threadIdx.x % 2 == 0);
      if (threadIdx.x % 32 == 0) atomicAdd(&sum, __popc(together));
      __syncthreads();
      if (threadIdx.x == 0) atomicAdd(&sums[static_cast<std::size_t>(step)], sum);
      sync_grid();
      if (sums[static_cast<std::size_t>(step)] != 5 * 48) atomicAdd(&wrong[0], 1);
    }
  });
  CHECK(wrong[0] == 0);
}

TEST_CASE("a grid barrier in clusters waits for all clusters") {
  const Way way = every_way();
  CAPTURE(way);
  LaunchConfig config = cooperative(way, 8, 32);
  config.cluster = 4;
  check_rows(config, 12);
}

TEST_CASE("threads that spin behind a grid barrier wait for those whom it has yet to wake") {
  // The last to arrive goes on at once, and its worker may find nothing but spinning threads before another worker has
  // woken. Rounds enough to meet that moment.
  constexpr unsigned kRounds = 200, kBlocks = 64;
  const unsigned launches = repetitions(300);
  unsigned failed = 0;
  for (unsigned i = 0; i < launches; ++i) {
    unsigned flag = 0;
    const auto hand_on = [&flag] {
      for (unsigned round = 1; round < kRounds; ++round) {
        sync_grid();
        if (threadIdx.x != 0) continue;
        if (blockIdx.x == round % kBlocks) atomicExch(&flag, round);
        while (atomicAdd(&flag, 0) != round) {
        }
      }
    };
    failed += launch({.grid = kBlocks, .block = 2, .cooperative = true, .workers = 2}, hand_on).ok() ? 0U : 1U;
  }
  CHECK(failed == 0);
}
