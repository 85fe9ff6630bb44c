// SPDX-License-Identifier: Apache-2.0
// Sums of whole blocks and of tiles of a warp, both by the one tree_sum of tree_sum.hpp. Blocks may have any size.
#pragma once

#include "tree_sum.hpp"

namespace gallery {

/// sums[b] = sum of the elements of block b, one a thread.
static __global__ void block_tree_sums(const unsigned* in, unsigned* sums, unsigned count) {
  WARPFIBER_SHARED(unsigned[kMostThreads], scratch);
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned sum = tree_sum(BlockGroup{}, &scratch[0], i < count ? in[i] : 0U);
  if (threadIdx.x == 0) sums[blockIdx.x] = sum;
}

/// sums[t] = sum of the elements of tile t, one a thread; a block has ceil(blockDim.x / Width) tiles.
template <unsigned Width>
__global__ void tile_tree_sums(const unsigned* in, unsigned* sums, unsigned count) {
  WARPFIBER_SHARED(unsigned[kMostThreads], scratch);
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const TileGroup<Width> tile;
  const unsigned sum = tree_sum(tile, &scratch[threadIdx.x - tile.thread_rank()], i < count ? in[i] : 0U);
  const unsigned tiles_of_block = (blockDim.x + Width - 1) / Width;
  if (tile.thread_rank() == 0) sums[blockIdx.x * tiles_of_block + threadIdx.x / Width] = sum;
}

}  // namespace gallery
