// SPDX-License-Identifier: Apache-2.0
// Matrix transpose through a tile of shared memory, so that reads and writes both go along rows; one column of padding
// keeps the tile's columns in different banks. Blocks are 32 threads wide and any number of threads high.
// Source: M. Harris, "An Efficient Matrix Transpose in CUDA C/C++".
#pragma once

#include <warpfiber/warpfiber.hpp>

namespace gallery {

constexpr unsigned kTransposeTile = 32;

static __global__ void matrix_transpose(const int* in, int* out, unsigned rows, unsigned columns) {
  WARPFIBER_SHARED(int[kTransposeTile][kTransposeTile + 1], tile);
  const unsigned row = blockIdx.y * kTransposeTile;
  const unsigned column = blockIdx.x * kTransposeTile;
  const unsigned x = threadIdx.x;
  for (unsigned y = threadIdx.y; y < kTransposeTile; y += blockDim.y) {
    if (row + y < rows && column + x < columns) tile[y][x] = in[(row + y) * columns + column + x];
  }
  __syncthreads();
  for (unsigned y = threadIdx.y; y < kTransposeTile; y += blockDim.y) {
    if (column + y < columns && row + x < rows) out[(column + y) * rows + row + x] = tile[x][y];
  }
}

}  // namespace gallery
