// SPDX-License-Identifier: Apache-2.0
// Factors, eigenvalues and singular values by a library of LAPACK. A function returns false where no library is asked
// for or there, where the matrix is too small for it, and where the library has not succeeded. What the matrix held is
// there then: loops say what is wrong with it.
#pragma once

#include <complex>
#include <cstddef>

#include "dense/columns.hpp"

namespace warpfiber::dense {

/// A = P * L * U. Row k was exchanged with row pivots[k], counted from 1.
template <class T>
bool factor_lu_by_lapack(MatrixSize size, Columns<T> a, int* pivots);

/// A = L * L^H in the lower triangle, or U^H * U in the upper one.
template <class T>
bool factor_cholesky_by_lapack(std::ptrdiff_t n, Columns<T> a, bool upper);

/// A = Q * R, with min(rows, columns) reflections.
template <class T>
bool factor_qr_by_lapack(MatrixSize size, Columns<T> a, T* tau);

/// C = op(Q) * C or C * op(Q) of `count` reflections, where op(Q) is Q or its adjoint.
template <class T>
bool multiply_by_q_by_lapack(Columns<const T> v, const T* tau, std::ptrdiff_t count, bool from_left, bool adjoint,
                             MatrixSize size, Columns<T> c);

/// Eigenvalues in ascending order, and vectors in place of the Hermitian `a`. Of double and its complex type.
template <class T>
bool find_spectrum_by_lapack(std::ptrdiff_t n, Columns<T> a, double* values);

/// A = U * diag(values) * V^H, where A has no more columns than rows, U as many columns as A or rows, and V is square.
/// Of double and its complex type.
template <class T>
bool find_singular_values_by_lapack(MatrixSize size, Columns<const T> a, double* values, Columns<T> u,
                                    std::ptrdiff_t columns_of_u, Columns<T> v);

}  // namespace warpfiber::dense
