// SPDX-License-Identifier: Apache-2.0
// Solutions of sparse systems by elimination of rows in the order that they have. What fills in is kept, so a matrix
// with entries far from its diagonal takes much memory. All of it is computed in complex double precision.
#pragma once

#include <complex>
#include <cstdint>
#include <utility>
#include <vector>

namespace warpfiber::numerics {

/// Entries of a row, by column in ascending order; the columns are distinct.
using EntryRow = std::vector<std::pair<std::int64_t, std::complex<double>>>;

/// A system with a square matrix. `b` becomes the solution.
struct SparseSystem {
  std::vector<EntryRow> rows;
  std::vector<std::complex<double>> b;
};

/// By Givens' rotations (George and Heath, 1980). Returns the first row of R whose diagonal is at most `tolerance`, and
/// -1 if there is none. Without a solution `b` is of no use.
std::int64_t solve_by_rotations(SparseSystem& system, double tolerance);

/// By Cholesky's factor, of the lower triangle. Returns the first row whose pivot is at most `tolerance`, and -1 if
/// there is none.
std::int64_t solve_positive_definite(SparseSystem& system, double tolerance);

}  // namespace warpfiber::numerics
