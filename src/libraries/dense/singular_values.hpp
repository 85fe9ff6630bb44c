// SPDX-License-Identifier: Apache-2.0
// Singular values and vectors, in double precision.
#pragma once

#include <complex>
#include <cstddef>

#include "dense/eigenvalues.hpp"

namespace warpfiber::dense {

/// A = U * diag(values) * V^H of a matrix with no more columns than rows. V is square; U has as many columns as A, and
/// others that complete it to a unitary matrix as far as `columns_of_u` goes.
template <class T>
struct SingularVectors {
  Columns<T> u;
  std::ptrdiff_t columns_of_u;
  Columns<T> v;
};

/// By rotations of A's columns (Hestenes). `limits.tolerance` is the cosine of an angle that counts as a right one.
JacobiOutcome find_singular_values(MatrixSize size, Columns<const double> a, double* values,
                                   const SingularVectors<double>& vectors, const JacobiLimits& limits);
JacobiOutcome find_singular_values(MatrixSize size, Columns<const std::complex<double>> a, double* values,
                                   const SingularVectors<std::complex<double>>& vectors, const JacobiLimits& limits);

/// By LAPACK, or by rotations. False: these have not converged.
bool find_singular_values(MatrixSize size, Columns<const double> a, double* values,
                          const SingularVectors<double>& vectors);
bool find_singular_values(MatrixSize size, Columns<const std::complex<double>> a, double* values,
                          const SingularVectors<std::complex<double>>& vectors);

}  // namespace warpfiber::dense
