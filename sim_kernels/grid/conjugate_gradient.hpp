// SPDX-License-Identifier: Apache-2.0
// A system of linear equations with a symmetric positive definite sparse matrix, solved by conjugate gradients in one
// cooperative launch: what would be four launches an iteration are phases between grid barriers.
// Each thread owns the same rows throughout. Sums are formed in one order whatever runs first, so all threads agree on
// every number and a run is repeatable. Source: Y. Saad, "Iterative Methods for Sparse Linear Systems", algorithm 6.18;
// the CUDA sample conjugateGradientMultiBlockCG has the same structure.
#pragma once

#include <cstdint>

#include "../cooperative_groups/tree_sum.hpp"

namespace gallery {

/// A square matrix by compressed rows, in device memory.
struct SparseRows {
  unsigned rows;
  const unsigned* starts;  // rows + 1
  const unsigned* columns;
  const double* values;
};

/// The vectors of the iteration, an element a row, and room for the partial sums of two dot products, one a block each.
struct GradientVectors {
  const double* right_side;
  double* solution;
  double* residual;
  double* direction;
  double* product;  // of the matrix and the direction
  double* partial;
};

struct GradientOutcome {
  std::uint64_t iterations;  // as wide as its neighbour: bytes of padding would hold anything
  double residual;           // its length
};

/// The dot product of `a` and `b`, the same in every thread. A barrier of the grid: everything before it is visible
/// after it. Consecutive calls need different `partial`.
__device__ inline double grid_dot(const double* a, const double* b, unsigned rows, double* partial) {
  WARPFIBER_SHARED(double[kMostThreads], scratch);
  double own = 0;
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < rows; i += gridDim.x * blockDim.x) own += a[i] * b[i];
  const double sum = tree_sum(BlockGroup{}, &scratch[0], own);
  if (threadIdx.x == 0) partial[blockIdx.x] = sum;
  warpfiber::sync_grid();
  double total = 0;
  for (unsigned block = 0; block < gridDim.x; ++block) total += partial[block];
  return total;
}

__device__ inline double row_product(const SparseRows& matrix, unsigned row, const double* vector) {
  double sum = 0;
  for (unsigned k = matrix.starts[row]; k < matrix.starts[row + 1]; ++k) {
    sum += matrix.values[k] * vector[matrix.columns[k]];
  }
  return sum;
}

/// Begins with a solution of zeros; ends when the residual is shorter than `tolerance` or after `limit` iterations.
static __global__ void conjugate_gradient(SparseRows matrix, GradientVectors v, double tolerance, unsigned limit,
                                          GradientOutcome* outcome) {
  const unsigned first = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned stride = gridDim.x * blockDim.x;
  for (unsigned i = first; i < matrix.rows; i += stride) {
    v.solution[i] = 0;
    v.residual[i] = v.right_side[i];
    v.direction[i] = v.right_side[i];
  }
  double square = grid_dot(v.residual, v.residual, matrix.rows, v.partial);
  unsigned iteration = 0;
  for (; iteration < limit && square > tolerance * tolerance; ++iteration) {
    for (unsigned i = first; i < matrix.rows; i += stride) v.product[i] = row_product(matrix, i, v.direction);
    const double step = square / grid_dot(v.direction, v.product, matrix.rows, v.partial + gridDim.x);
    for (unsigned i = first; i < matrix.rows; i += stride) {
      v.solution[i] += step * v.direction[i];
      v.residual[i] -= step * v.product[i];
    }
    const double next_square = grid_dot(v.residual, v.residual, matrix.rows, v.partial);
    for (unsigned i = first; i < matrix.rows; i += stride) {
      v.direction[i] = v.residual[i] + next_square / square * v.direction[i];
    }
    square = next_square;
    warpfiber::sync_grid();
  }
  if (first == 0) *outcome = GradientOutcome{iteration, sqrt(square)};
}

}  // namespace gallery
