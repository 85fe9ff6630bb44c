// SPDX-License-Identifier: Apache-2.0
// Matrix product by square tiles in shared memory. Every thread of a block makes the same number of rounds, also where
// the matrices are no multiple of the tile: elements outside count as zero.
// Source: CUDA C++ Programming Guide, "Shared Memory".
#pragma once

#include <warpfiber/warpfiber.hpp>

namespace gallery {

/// Extents of the product of a rows x inner and an inner x columns matrix.
struct ProductShape {
  unsigned rows;
  unsigned inner;
  unsigned columns;
};

/// Blocks are Tile x Tile threads and compute one tile of the product each.
template <unsigned Tile>
__global__ void matrix_product(const int* a, const int* b, int* product, ProductShape shape) {
  WARPFIBER_SHARED(int[Tile][Tile], tile_a);
  WARPFIBER_SHARED(int[Tile][Tile], tile_b);
  const unsigned x = threadIdx.x;
  const unsigned y = threadIdx.y;
  const unsigned row = blockIdx.y * Tile + y;
  const unsigned column = blockIdx.x * Tile + x;
  int sum = 0;
  for (unsigned first = 0; first < shape.inner; first += Tile) {
    const bool in_a = row < shape.rows && first + x < shape.inner;
    const bool in_b = first + y < shape.inner && column < shape.columns;
    tile_a[y][x] = in_a ? a[row * shape.inner + first + x] : 0;
    tile_b[y][x] = in_b ? b[(first + y) * shape.columns + column] : 0;
    __syncthreads();
    for (unsigned k = 0; k < Tile; ++k) sum += tile_a[y][k] * tile_b[k][x];
    __syncthreads();
  }
  if (row < shape.rows && column < shape.columns) product[row * shape.columns + column] = sum;
}

}  // namespace gallery
