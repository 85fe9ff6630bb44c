// SPDX-License-Identifier: Apache-2.0
// Eigenvalues and eigenvectors of symmetric and Hermitian matrices by Jacobi's method, and singular
// values and vectors by rotations, in double precision.
#pragma once

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstddef>
#include <utility>

#include "dense/columns.hpp"
#include "dense/lapack.hpp"

namespace warpfiber::dense {

/// When Jacobi's method ends, and whether it sorts.
struct JacobiLimits {
  double tolerance = 0;  // relative to the matrix's Frobenius norm
  int sweeps = 100;
  bool sorted = true;
};

/// What Jacobi's method has done. It has not converged if `residual`, what is left off the diagonal, is too large.
struct JacobiOutcome {
  int sweeps = 0;
  double residual = 0;
  bool converged = false;
};

/// Of the n by n matrix `a`, all of whose elements are there: values, in ascending order if `limits` says so. Vectors
/// go to `v`, which is n by n. Of double and its complex type.
template <class T>
JacobiOutcome find_spectrum_by_rotations(std::ptrdiff_t n, Columns<T> a, Columns<T> v, double* values,
                                         const JacobiLimits& limits);

/// The rotation that makes the columns p and q of a matrix orthogonal, or the element (p, q) of a Hermitian one zero.
template <class T>
struct Rotation {
  double c;
  double s;
  T phase;

  /// `coupling` is what becomes zero, and not zero before; `first` and `second` are what it couples.
  static Rotation against(T coupling, double first, double second) {
    const double size = std::abs(coupling);
    const double zeta = (second - first) / (2 * size);
    const double t = std::copysign(1.0, zeta) / (std::abs(zeta) + std::hypot(1.0, zeta));
    const double c = 1 / std::hypot(1.0, t);
    return {c, c * t, coupling / size};
  }
  void turn_columns(std::ptrdiff_t n, T* p, T* q) const {
    for (std::ptrdiff_t i = 0; i < n; ++i) {
      const T turned = product(conjugate(phase), q[i]);
      const T old = p[i];
      p[i] = c * old - s * turned;
      q[i] = s * old + c * turned;
    }
  }
};

/// Puts values in the order in which `before(values[i], values[j])` holds, columns of `v` along with them.
template <class T, class Before>
void sort_with_columns(std::ptrdiff_t n, double* values, std::ptrdiff_t rows, Columns<T> v, Before before) {
  for (std::ptrdiff_t i = 0; i + 1 < n; ++i) {
    std::ptrdiff_t best = i;
    for (std::ptrdiff_t j = i + 1; j < n; ++j) {
      if (before(values[j], values[best])) best = j;
    }
    if (best == i) continue;
    std::swap(values[i], values[best]);
    std::swap_ranges(v.column(i), v.column(i) + rows, v.column(best));
  }
}

/// Singular values and vectors. LAPACK computes factors Q and R for them, and has to be there. By rotations of A's
/// columns (Hestenes). `limits.tolerance` is the cosine of an angle that counts as a right one. U may have any number
/// of columns from A's to as many as A has rows. Of double and its complex type.
template <class T>
JacobiOutcome find_singular_values(MatrixSize size, Columns<const T> a, double* values,
                                   const SingularVectors<T>& vectors, const JacobiLimits& limits);

}  // namespace warpfiber::dense
