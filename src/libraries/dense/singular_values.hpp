// SPDX-License-Identifier: Apache-2.0
// Singular values and vectors by rotations, in double precision. LAPACK computes factors Q and R for them, and has to
// be there.
#pragma once

#include <complex>
#include <cstddef>

#include "dense/eigenvalues.hpp"
#include "dense/lapack.hpp"

namespace warpfiber::dense {

/// By rotations of A's columns (Hestenes). `limits.tolerance` is the cosine of an angle that counts as a right one. U
/// may have any number of columns from A's to as many as A has rows. Of double and its complex type.
template <class T>
JacobiOutcome find_singular_values(MatrixSize size, Columns<const T> a, double* values,
                                   const SingularVectors<T>& vectors, const JacobiLimits& limits);

}  // namespace warpfiber::dense
