// SPDX-License-Identifier: Apache-2.0
// Kernels that are measured as fibers (block_reduce.cpp, barrier_kernels.cpp, matmul.cpp) and as regions (regions.cu):
// one text for both. Threads do little between meetings, so the time is that of the meetings.
#pragma once

#include <warpfiber/intrinsics/builtins.hpp>
#include <warpfiber/intrinsics/warp.hpp>
#include <warpfiber/shared.hpp>
#include <warpfiber/wmma.hpp>

namespace warpfiber::bench {

inline constexpr unsigned kThreads = 256;  // of a block
inline constexpr unsigned kLanes = 32;
inline constexpr unsigned kTile = 16;

/// The tree reduction every CUDA course begins with: a barrier after each of nine steps.
[[maybe_unused]] static __global__ void sum_blocks(const float* in, float* out) {
  auto& partial = shared<float[kThreads], struct partials>();
  const unsigned t = threadIdx.x;
  partial[t] = in[blockIdx.x * blockDim.x + t];
  __syncthreads();
  for (unsigned half = kThreads / 2; half > 0; half /= 2) {
    if (t < half) partial[t] += partial[t + half];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = partial[0];
}

[[maybe_unused]] static __global__ void sum_warps(const unsigned* in, unsigned* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned sum = in[i];
  for (unsigned step = kLanes / 2; step > 0; step /= 2)
    sum += __shfl_xor_sync(0xffffffffu, sum, static_cast<int>(step));
  out[i] = sum;
}

/// The scan of Hillis and Steele.
[[maybe_unused]] static __global__ void scan_blocks(const unsigned* in, unsigned* out) {
  auto& sums = shared<unsigned[2][kThreads], struct scan_sums>();
  const unsigned t = threadIdx.x;
  unsigned from = 0;
  sums[from][t] = in[blockIdx.x * blockDim.x + t];
  __syncthreads();
  for (unsigned distance = 1; distance < kThreads; distance *= 2) {
    sums[1 - from][t] = sums[from][t] + (t >= distance ? sums[from][t - distance] : 0);
    from = 1 - from;
    __syncthreads();
  }
  out[blockIdx.x * blockDim.x + t] = sums[from][t];
}

/// A bitonic sort.
[[maybe_unused]] static __global__ void sort_blocks(const unsigned* in, unsigned* out) {
  auto& keys = shared<unsigned[kThreads], struct sort_keys>();
  const unsigned t = threadIdx.x;
  keys[t] = in[blockIdx.x * blockDim.x + t];
  __syncthreads();
  for (unsigned size = 2; size <= kThreads; size *= 2) {
    for (unsigned distance = size / 2; distance > 0; distance /= 2) {
      const unsigned other = t ^ distance;
      if (other > t) {
        const unsigned a = keys[t];
        const unsigned b = keys[other];
        const bool swaps = (a > b) == ((t & size) == 0);
        keys[t] = swaps ? b : a;
        keys[other] = swaps ? a : b;
      }
      __syncthreads();
    }
  }
  out[blockIdx.x * blockDim.x + t] = keys[t];
}

/// The tiled matrix product of the CUDA C++ Programming Guide ("Shared Memory"); `n` is a multiple of kTile.
[[maybe_unused]] static __global__ void multiply_tiles(const float* a, const float* b, float* c, unsigned n) {
  auto& a_tile = shared<float[kTile][kTile], struct a_tiles>();
  auto& b_tile = shared<float[kTile][kTile], struct b_tiles>();
  const unsigned column = threadIdx.x;
  const unsigned row = threadIdx.y;
  const unsigned i = blockIdx.y * kTile + row;
  const unsigned j = blockIdx.x * kTile + column;
  float sum = 0.0f;
  for (unsigned first = 0; first < n; first += kTile) {
    a_tile[row][column] = a[i * n + first + column];
    b_tile[row][column] = b[(first + row) * n + j];
    __syncthreads();
    for (unsigned k = 0; k < kTile; ++k) sum += a_tile[row][k] * b_tile[k][column];
    __syncthreads();
  }
  c[i * n + j] = sum;
}

/// Each warp computes 16 by 16 elements of C, of which a block has kThreads / kLanes one behind the other. A is by
/// rows, B by columns.
[[maybe_unused]] static __global__ void multiply_fragments(const half* a, const half* b, float* c, unsigned n) {
  namespace wmma = nvcuda::wmma;
  const unsigned warp = (blockIdx.x * blockDim.x + threadIdx.x) / kLanes;
  const unsigned row = warp / (n / kTile) * kTile;
  const unsigned column = warp % (n / kTile) * kTile;
  wmma::fragment<wmma::matrix_a, kTile, kTile, kTile, half, wmma::row_major> left;
  wmma::fragment<wmma::matrix_b, kTile, kTile, kTile, half, wmma::col_major> right;
  wmma::fragment<wmma::accumulator, kTile, kTile, kTile, float> sums;
  wmma::fill_fragment(sums, 0.0f);
  for (unsigned k = 0; k < n; k += kTile) {
    wmma::load_matrix_sync(left, a + row * n + k, n);
    wmma::load_matrix_sync(right, b + column * n + k, n);
    wmma::mma_sync(sums, left, right, sums);
  }
  wmma::store_matrix_sync(c + row * n + column, sums, n, wmma::mem_row_major);
}

}  // namespace warpfiber::bench
