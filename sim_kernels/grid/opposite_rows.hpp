// SPDX-License-Identifier: Apache-2.0
// Rows of a matrix written one after another by the whole grid: each element is the one above it, in the opposite
// column, plus 1, so every row needs all blocks to have finished the row before. A cooperative launch with one thread a
// column. Source: Numba documentation, "Cooperative Groups", whose example this is.
#pragma once

#include <warpfiber/warpfiber.hpp>

namespace gallery {

static __global__ void opposite_rows(int* matrix, unsigned rows) {
  const unsigned columns = gridDim.x * blockDim.x;
  const unsigned column = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned opposite = columns - 1 - column;
  for (unsigned row = 1; row < rows; ++row) {
    matrix[row * columns + column] = matrix[(row - 1) * columns + opposite] + 1;
    warpfiber::sync_grid();
  }
}

}  // namespace gallery
