// SPDX-License-Identifier: Apache-2.0
// Tiles of more than 32 threads.
#include "unit/groups/group_launches.hpp"

using namespace warpfiber;
using namespace warpfiber::test;

namespace {

constexpr unsigned kColumns = 8;

template <unsigned kSize>
void use_tile(long long* row) {
  const auto block = cg::this_thread_block();
  const auto tile = cg::tiled_partition<kSize>(block);
  const cg::thread_block_tile<kSize> same = tile;
  const auto rank = static_cast<int>(tile.thread_rank());
  row[0] = tile.meta_group_rank() * 100 + tile.meta_group_size();
  row[1] = same.meta_group_rank() * 100 + same.meta_group_size();
  row[2] = tile.shfl(static_cast<short>(rank + 1000), kSize - 3);
  row[3] = tile.any(rank == 40) != 0;
  row[4] = same.all(rank != 40) != 0;
  row[5] = tile.all(1) != 0;
  // Tiles of even rank go round more often than the others.
  for (unsigned i = 0; i <= tile.meta_group_rank() % 2; ++i)
    row[6] += static_cast<long long>(same.shfl(rank * 0.5, 33));
  tile.sync();
  const auto half = cg::tiled_partition<kSize / 2>(tile);
  row[7] = half.meta_group_rank() * 100 + half.meta_group_size();
}

template <unsigned kSize>
void check_tile(const Way& way) {
  INFO(way << ", " << kSize << " threads");
  const auto rows = rows_of(way.apply({.grid = 2, .block = dim3(64, 16)}), kColumns, use_tile<kSize>);
  constexpr unsigned kTiles = 1024 / kSize;
  for (unsigned thread = 0; thread < 2048; ++thread) {
    const long long* row = &rows[std::size_t{thread} * kColumns];
    const unsigned tile = thread % 1024 / kSize;
    const long long expected[kColumns] = {tile * 100 + kTiles,
                                          tile * 100 + kTiles,
                                          kSize - 3 + 1000,
                                          1,
                                          0,
                                          1,
                                          16 * (1 + tile % 2),
                                          thread % kSize / (kSize / 2) * 100 + 2};
    for (unsigned column = 0; column < kColumns; ++column) {
      INFO("thread " << thread << ", column " << column);
      REQUIRE(row[column] == expected[column]);
    }
  }
}

}  // namespace

TEST_CASE("tiles above 32 threads answer in every thread") {
  const Way way = every_way();
  check_tile<64>(way);
  check_tile<128>(way);
  check_tile<1024>(way);
}

TEST_CASE("threads that have returned are not waited for by a large tile") {
  const Way way = every_way();
  INFO(way);
  const auto rows = rows_of(way.apply({.grid = 1, .block = 128}), 2, [](long long* row) {
    const auto tile = cg::tiled_partition<64>(cg::this_thread_block());
    if (tile.thread_rank() % 2 == 1) return;
    row[0] = tile.any(tile.thread_rank() == 6);
    row[1] = tile.shfl(tile.thread_rank(), 62);
  });
  for (unsigned thread = 0; thread < 128; thread += 2) {
    CHECK(rows[thread * 2] == 1);
    CHECK(rows[thread * 2 + 1] == 62);
  }
}

TEST_CASE("a tile that the block has too few warps for has no collectives") {
  const auto meet = [](int* out) {
    const auto tile = cg::tiled_partition<64>(cg::this_thread_block());
    out[threadIdx.x] = tile.any(threadIdx.x == 5);
  };
  Buffer<int> results(128);
  SECTION("not for one whole tile") {
    const LaunchResult result = launch({.block = 32}, meet, results.data());
    CHECK(std::string(result.finding()) == "cg-misuse");
  }
  SECTION("one of two") {
    const LaunchResult result = launch({.block = 96}, meet, results.data());
    CHECK(std::string(result.finding()) == "cg-misuse");
  }
  SECTION("all of them, the last not full") {
    CHECK(launch({.block = 120}, meet, results.data()).ok());
    CHECK(results.download()[63] == 1);
    CHECK(results.download()[64] == 0);
  }
}
