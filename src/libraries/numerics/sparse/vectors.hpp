// SPDX-License-Identifier: Apache-2.0
// Sparse vectors with dense ones. Indices of a sparse vector are within it (find_outside()).
#pragma once

#include "numerics/sparse/sparse_matrix.hpp"

namespace warpfiber::numerics {

/// Writes the sum of x's values times y's at their indices, of which `conjugated` takes the conjugates of x's.
void dot(const SparseVector& x, const DenseMatrix& y, bool conjugated, NumberKind kind, void* result);

/// y = alpha * x + beta * y.
void add_scaled(const Scalar& alpha, const SparseVector& x, const Scalar& beta, const DenseMatrix& y);

/// x's values = y's at their indices.
void gather(const DenseMatrix& y, const SparseVector& x);

/// y's values at x's indices = x's.
void scatter(const SparseVector& x, const DenseMatrix& y);

/// (x, y) = (c * x + s * y, c * y - conjugate of s * x) at x's indices.
void rotate(const Scalar& c, const Scalar& s, const SparseVector& x, const DenseMatrix& y);

}  // namespace warpfiber::numerics
