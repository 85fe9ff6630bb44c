// SPDX-License-Identifier: Apache-2.0
// Systems of equations: triangles of sparse matrices, matrices of three and five diagonals, and incomplete
// factorisations.
#pragma once

#include <complex>
#include <cstdint>
#include <vector>

#include "numerics/sparse/sparse_matrix.hpp"

namespace warpfiber::numerics {

/// Which entries of a square matrix are used.
struct SparseTriangle {
  bool upper = false;
  bool unit = false;  // the diagonal is ones, whatever entries there are
};

/// Values of a matrix' entries, and of its diagonal where it has been replaced.
struct SolvedValues {
  std::vector<WideNumber> entries{};
  std::vector<WideNumber> diagonal{};
};

SolvedValues values_of(const SparseMatrix& matrix);

/// use_a(a) * c = alpha * use_b(b), by columns of `c`.
void solve_triangle(const SparseMatrix& a, const SolvedValues& values, SparseTriangle triangle, MatrixUse use_a,
                    const DenseMatrix& b, MatrixUse use_b, const DenseMatrix& c, const Scalar& alpha);

/// Element i of a diagonal or of a right side is at `i * step` from its first.
struct Diagonals {
  NumberKind kind = NumberKind::float32;
  std::int64_t size = 0;  // rows
  std::int64_t step = 1;
  const void* second_lower = nullptr;  // null: there are three diagonals
  const void* lower = nullptr;
  const void* middle = nullptr;
  const void* upper = nullptr;
  const void* second_upper = nullptr;
};

/// Solves for the right side that is `first` elements behind `x`; the diagonals begin `first_of_diagonals` elements
/// behind theirs. Rows are exchanged where that makes a pivot larger, unless `exchange` is false.
void solve_diagonals(const Diagonals& diagonals, std::int64_t first_of_diagonals, void* x, std::int64_t first,
                     bool exchange);

/// In place of a pivot whose absolute value is at most `tolerance` comes `value`.
struct PivotBoost {
  bool enabled = false;
  double tolerance = 0;
  Scalar value{};
};

/// Factors in place of the entries of a csr matrix, whose columns ascend in each row: L below the diagonal, which has
/// ones on it, and U. The first row whose pivot is 0 is returned; -1: there is none.
std::int64_t factorise_lu(const SparseMatrix& matrix, const PivotBoost& boost);
/// The same of a hermitian matrix, of which the lower triangle is used: L in its place.
std::int64_t factorise_cholesky(const SparseMatrix& matrix);

/// The first row without an entry on the diagonal; -1: there is none.
std::int64_t row_without_diagonal(const SparseMatrix& matrix);

}  // namespace warpfiber::numerics
