// SPDX-License-Identifier: Apache-2.0
// What CUDA 13.0's headers do not have: the guide's names, CUDA 9's and CUDA 11's.
#include <type_traits>

#include "unit/groups/group_launches.hpp"

using namespace warpfiber;
using namespace warpfiber::test;

namespace {

template <class Token>
constexpr bool kMovesOnly =
    std::is_move_constructible_v<Token> && !std::is_copy_constructible_v<Token> && !std::is_copy_assignable_v<Token>;
static_assert(kMovesOnly<cg::thread_block::arrival_token>);
static_assert(kMovesOnly<cg::cluster_group::arrival_token>);
static_assert(kMovesOnly<cg::grid_group::arrival_token>);
static_assert(std::is_convertible_v<unsigned, cg::grid_group::arrival_token>);
static_assert(std::is_convertible_v<cg::grid_group::arrival_token, unsigned>);
static_assert(cg::thread_block_tile<8>::thread_scope == cuda::thread_scope_block);

}  // namespace

TEST_CASE("a stride takes threads in turn") {
  const Way way = every_way();
  const unsigned mask = kMasks[GENERATE(range(std::size_t{0}, std::size(kMasks)))];
  const unsigned stride = GENERATE(1U, 3U, 8U, 40U);
  INFO(way << ", mask " << mask << ", stride " << stride);
  const auto rows = rows_of(way.apply({.grid = 1, .block = 32}), 5, [=](long long* row) {
    const auto parent = side_of(mask);
    const auto group = cg::stride_partition(parent, stride);
    row[0] = group.meta_group_rank() == parent.thread_rank() % stride;
    row[1] = group.meta_group_size() == (stride < parent.size() ? stride : parent.size());
    row[2] = group.thread_rank() == parent.thread_rank() / stride;
    row[3] = group.size() == (parent.size() - parent.thread_rank() % stride + stride - 1) / stride;
    row[4] = group.shfl(parent.thread_rank(), 0) == parent.thread_rank() % stride;
  });
  for (const long long holds : rows) CHECK(holds == 1);
}

TEST_CASE("tiles are cut by a stride") {
  const auto rows = rows_of({.grid = 1, .block = 32}, 1, [](long long* row) {
    const auto tile = cg::tiled_partition<16>(cg::this_thread_block());
    *row = cg::stride_partition(tile, 4).ballot(tile.thread_rank() >= 8);
  });
  for (const long long ballot : rows) CHECK(ballot == 0xc);
}

TEST_CASE("the guide's and older names mean what today's do") {
  const auto rows = rows_of({.grid = 2, .block = 64, .cooperative = true}, 9, [](long long* row) {
    const auto block = cg::this_block();
    const cg::thread_group any = cg::tiled_partition<8>(block);
    cg::synchronize(block);
    row[0] = block.is_valid() && any.is_valid() && cg::this_grid().is_valid() && cg::this_cluster().is_valid();
    row[1] = any.num_threads() == 8 && cg::group_size(any) == 8;
    row[2] = block.rank() == block.thread_rank();
    row[3] = any.rank() == block.rank() % 8;
    row[4] = cg::this_grid().rank() == global_rank();
    row[5] = cg::coalesced_threads().is_valid();
    cg::experimental::block_tile_memory<8, 64> memory;
    const auto same = cg::experimental::this_thread_block(memory);
    const auto large = cg::experimental::tiled_partition<64>(same);
    large.sync();
    row[6] = large.rank() == block.rank() && large.is_valid();
    row[7] = cg::tiled_partition<4>(block).rank() == block.rank() % 4;
    row[8] = cg::coalesced_threads().rank() < 32;
  });
  for (const long long holds : rows) CHECK(holds == 1);
}

TEST_CASE("tokens of a grid's barrier may be kept as numbers") {
  const Way way = every_way();
  INFO(way);
  const auto rows = rows_of(way.apply({.grid = 3, .block = 40, .cooperative = true}), 1, [](long long* row) {
    const auto grid = cg::this_grid();
    for (int i = 0; i < 4; ++i) {
      const unsigned number = grid.barrier_arrive();
      grid.barrier_wait(number);
      ++*row;
    }
    grid.barrier_wait(grid.barrier_arrive());
  });
  for (const long long phases : rows) CHECK(phases == 4);
}

TEST_CASE("only a cooperative launch has a valid grid") {
  const auto rows =
      rows_of({.grid = 2, .block = 32}, 1, [](long long* row) { *row = cg::this_grid().is_valid() ? 1 : 2; });
  for (const long long found : rows) CHECK(found == 2);
}
