// SPDX-License-Identifier: Apache-2.0
// Reduction inside a tile of a warp by shuffles: no shared memory, and tiles of one warp do not wait for each other.
// Source: CUDA C++ Programming Guide, "Cooperative Groups", "Thread Block Tile".
#pragma once

#include "groups.hpp"

namespace gallery {

/// The sum of `value` over the tile, for its rank 0.
template <unsigned Width, class T>
__device__ T shuffle_sum(const TileGroup<Width>& tile, T value) {
  for (unsigned distance = Width / 2; distance > 0; distance /= 2) {
    const T other = tile.shfl_down(value, distance);
    if (tile.thread_rank() + distance < tile.size()) value += other;
  }
  return value;
}

/// sums[t] = sum of the elements of tile t, one a thread; a block has ceil(blockDim.x / Width) tiles.
template <unsigned Width>
__global__ void tile_shuffle_sums(const unsigned* in, unsigned* sums, unsigned count) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const TileGroup<Width> tile;
  const unsigned sum = shuffle_sum(tile, i < count ? in[i] : 0U);
  const unsigned tiles_of_block = (blockDim.x + Width - 1) / Width;
  if (tile.thread_rank() == 0) sums[blockIdx.x * tiles_of_block + threadIdx.x / Width] = sum;
}

}  // namespace gallery
