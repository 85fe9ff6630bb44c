// SPDX-License-Identifier: Apache-2.0
// The two groups that the kernels of this folder are written for, with the member names of CUDA's cooperative groups:
// functions that take a group as template argument work with those as well. A tile at the end of a block may have fewer
// threads than its width. Blocks are one-dimensional. Called by threads inside kernels.
#pragma once

#include <warpfiber/warpfiber.hpp>

namespace gallery {

/// All threads of the block.
struct BlockGroup {
  __device__ unsigned thread_rank() const { return threadIdx.x; }
  __device__ unsigned size() const { return blockDim.x; }
  __device__ void sync() const { __syncthreads(); }
};

/// `Width` consecutive threads of a warp; a power of two up to 32.
template <unsigned Width>
struct TileGroup {
  static constexpr unsigned kWarp = 32;

  __device__ unsigned thread_rank() const { return threadIdx.x % Width; }
  __device__ unsigned size() const {
    const unsigned left = blockDim.x - first();
    return left < Width ? left : Width;
  }
  __device__ void sync() const { __syncwarp(mask()); }

  /// The value of the thread `distance` ranks above; meaningless where the tile has no such rank.
  template <class T>
  __device__ T shfl_down(T value, unsigned distance) const {
    return __shfl_down_sync(mask(), value, distance, Width);
  }

 private:
  __device__ unsigned first() const { return threadIdx.x - thread_rank(); }
  __device__ unsigned mask() const { return (0xffffffffU >> (kWarp - size())) << (first() % kWarp); }
};

}  // namespace gallery
