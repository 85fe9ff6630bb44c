// SPDX-License-Identifier: Apache-2.0
#include "unit/cuda/runtime/group_defects.hpp"

#include <utility>

// Reports quote this file: approved outputs hold its line numbers. New kernels go to its end.
namespace warpfiber::test::defects {

namespace cg = cooperative_groups;

namespace {

unsigned lane() {
  return detail::lane_id();
}

}  // namespace

__global__ void coalesced_group_outlives_branch(int* out) {
  const auto together = cg::coalesced_threads();
  if (lane() < 12) out[lane()] = together.shfl(1, 0);
  __syncthreads();
}

__global__ void tile_of_half_a_warp(int* out) {
  const auto block = cg::this_thread_block();
  if (lane() < 16) {
    const auto tile = cg::tiled_partition<32>(block);
    tile.sync();
    out[lane()] = 2;
  }
  block.sync();
}

__global__ void foreign_group(int* out) {
  const auto*& shown = shared<const cg::coalesced_group*, struct shown_tag>();
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  const auto half = cg::binary_partition(warp, lane() < 16);
  if (lane() == 0) shown = &half;
  warp.sync();
  if (lane() == 20) out[0] = static_cast<int>(shown->ballot(3));
  warp.sync();
}

__global__ void different_calls(int* out) {
  const auto tile = cg::tiled_partition<8>(cg::this_thread_block());
  if (tile.thread_rank() < 3) {
    out[lane()] = tile.any(4);
  } else {
    tile.sync();
  }
}

__global__ void overlapping_groups(int*) {
  const auto tile =
      lane() < 5 ? cg::tiled_partition(cg::this_thread_block(), 8) : cg::tiled_partition(cg::this_thread_block(), 16);
  tile.sync();
}

__global__ void convoy_with_a_gap(int* out) {
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  const auto most = cg::labeled_partition(warp, lane() / 24);
  int sum = static_cast<int>(lane());
  for (int i = 0; i < 9; ++i) {
    if (i == 6 && lane() == 11) break;
    sum += most.shfl_down(sum, 1);
  }
  __syncthreads();
  out[lane()] = sum;
}

__global__ void unequal_pieces(int* out) {
  const auto warp = cg::coalesced_threads();
  out[lane()] = static_cast<int>(cg::tiled_partition(warp, lane() == 9 ? 8 : 4).size());
}

__global__ void piece_of_three(int* out) {
  cg::tiled_partition(cg::this_thread_block(), 3).sync();
  out[lane()] = 7;
}

__global__ void rank_beyond_group(int* out) {
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  const auto third = cg::labeled_partition(warp, lane() % 3);
  out[lane()] = third.shfl(8, 11);
}

__global__ void rank_beyond_tile(int* out) {
  const auto tile = cg::tiled_partition<64>(cg::this_thread_block());
  out[threadIdx.x] = tile.shfl(9, 64);
}

__global__ void unequal_ranks_in_tile(int* out) {
  const auto tile = cg::tiled_partition<64>(cg::this_thread_block());
  out[threadIdx.x] = tile.shfl(10, threadIdx.x / 48);
}

__global__ void no_stride(int* out) {
  out[lane()] = static_cast<int>(cg::stride_partition(cg::coalesced_threads(), 0).size());
}

__global__ void tile_wider_than_warp(int* out) {
  const auto tile = cg::tiled_partition<16>(cg::this_thread_block());
  out[threadIdx.x] = static_cast<int>(tile.thread_rank());
}

__global__ void rank_of_no_shared_memory(int* out) {
  out[0] = static_cast<int>(cg::this_cluster().query_shared_rank(out));
}

__global__ void token_used_twice(int* out) {
  const auto block = cg::this_thread_block();
  auto token = block.barrier_arrive();
  block.barrier_wait(std::move(token));
  out[threadIdx.x] = 15;
  block.barrier_wait(std::move(token));
}

__global__ void grid_of_no_cut(int* out) {
  const cg::thread_group grid = cg::this_grid();
  out[threadIdx.x] = static_cast<int>(cg::tiled_partition(grid, 16).size());
}

__global__ void large_tile_in_part(int* out) {
  const auto block = cg::this_thread_block();
  const auto tile = cg::tiled_partition<64>(block);
  if (tile.thread_rank() >= 60) return;
  if (tile.thread_rank() < 40) out[block.thread_rank()] = tile.any(17);
  block.sync();
}

__global__ void group_against_intrinsic(int* out) {
  const auto together = cg::coalesced_threads();
  if (lane() % 2 == 0) out[lane()] = together.shfl(18, 0);
  __syncwarp();
}

__global__ void tiles_of_two_branches(int*) {
  const auto block = cg::this_thread_block();
  if (threadIdx.x < 16) {
    const auto low = cg::tiled_partition<16>(block);
    if (threadIdx.x < 8) low.sync();
  } else {
    const auto high = cg::tiled_partition<16>(block);
    high.sync();
  }
  block.sync();
}

__global__ void tiles_made_twice(int*) {
  const auto block = cg::this_thread_block();
  const auto first = cg::tiled_partition<4>(block);
  const auto second = cg::tiled_partition<4>(cg::tiled_partition<32>(block));
  second.sync();
  if (threadIdx.x < 2) first.sync();
  block.sync();
}

}  // namespace warpfiber::test::defects
