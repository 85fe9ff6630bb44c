// SPDX-License-Identifier: Apache-2.0
// What LAPACK computes for cuSOLVER, of matrices in the columns of memory. The library has to be there:
// missing_lapack() says so. An `info` is LAPACK's: 0, or the number, counted from 1, of what is not as it has to be.
// Sizes and leading dimensions fit into an int, and orders of matrices whose values are looked for are at most
// kMostValues.
#pragma once

#include <complex>
#include <cstddef>

#include "dense/blas_library.hpp"
#include "dense/columns.hpp"

namespace warpfiber::dense {

/// Lengths of memory that LAPACK asks for grow with the square of this, and fit into an int.
inline constexpr std::ptrdiff_t kMostValues = 16384;

/// Why none of the functions below may be called. Loads the library.
MissingLapack missing_lapack();

/// A = P * L * U. Row k was exchanged with row pivots[k], counted from 1. `info`: the first pivot that is zero.
template <class T>
std::ptrdiff_t factor_with_pivots(MatrixSize size, Columns<T> a, int* pivots);

/// The solution X of op(A) * X = B by these factors, in place of B.
template <class T>
void solve_with_pivots(MatrixSize size, Columns<const T> lu, SystemForm form, const int* pivots, Columns<T> b);

/// A = L * L^H in the lower triangle, or U^H * U in the upper one. The other triangle is not touched. `info`: the first
/// leading minor that is not positive, or not a number.
template <class T>
std::ptrdiff_t factor_cholesky(std::ptrdiff_t n, Columns<T> a, bool upper);

/// The solution X of A * X = B by Cholesky's factor of A, in place of B.
template <class T>
void solve_cholesky(MatrixSize size, Columns<const T> a, bool upper, Columns<T> b);

/// The triangle of the inverse of A, in place of Cholesky's factor of A. `info`: the first zero on its diagonal.
template <class T>
std::ptrdiff_t invert_cholesky(std::ptrdiff_t n, Columns<T> a, bool upper);

/// The inverse of a triangular matrix in its place. `info`: the first zero on its diagonal.
template <class T>
std::ptrdiff_t invert_triangle(std::ptrdiff_t n, Columns<T> a, Triangle part);

/// A = Q * R, with min(rows, columns) reflections H = I - tau * v * v^H. v[0] is 1, and the rest of v is stored below
/// the diagonal of R; Q is H1 * H2 * ... * Hk.
template <class T>
void factor_qr(MatrixSize size, Columns<T> a, T* tau);

/// Q of `count` reflections.
template <class T>
struct Reflections {
  Columns<const T> v;
  const T* tau;
  std::ptrdiff_t count;
};

/// C = op(Q) * C or C * op(Q), where op(Q) is Q or its adjoint.
template <class T>
void multiply_by_q(const Reflections<T>& q, bool from_left, bool adjoint, MatrixSize size, Columns<T> c);

/// The first columns of Q in place of its `count` reflections.
template <class T>
void make_q(MatrixSize size, std::ptrdiff_t count, Columns<T> a, const T* tau);

/// Eigenvalues in ascending order, and vectors in place of the Hermitian A, whose lower triangle is read. Of double and
/// its complex type. `info`: how many numbers next to the diagonal of a tridiagonal matrix have not become zero. All of
/// them where A holds an infinity or a NaN: then LAPACK, which may not return, is not called, and all is NaN.
template <class T>
std::ptrdiff_t find_spectrum(std::ptrdiff_t n, Columns<T> a, double* values);

/// A * x = w * B * x, A * B * x = w * x, and B * A * x = w * x.
enum class PencilForm { plain = 1, product = 2, reversed = 3 };

/// Replaces the Hermitian A by one with the eigenvalues of the pencil, where B = L * L^H. Of double and its complex
/// type.
template <class T>
void reduce_pencil(std::ptrdiff_t n, PencilForm form, Columns<T> a, Columns<const T> l);

/// Replaces eigenvectors of the reduced matrix by those of the pencil. Of double and its complex type.
template <class T>
void restore_vectors(std::ptrdiff_t n, PencilForm form, Columns<T> v, Columns<const T> l);

/// A = U * diag(values) * V^H of a matrix with no more columns than rows. V is square; U has as many columns as A, or
/// as A has rows.
template <class T>
struct SingularVectors {
  Columns<T> u;
  std::ptrdiff_t columns_of_u;
  Columns<T> v;
};

/// Values in descending order. Of double and its complex type. False: they were not found. So it is where A holds an
/// infinity or a NaN: then LAPACK, which may not return, is not called, and all is NaN.
template <class T>
bool find_singular_values(MatrixSize size, Columns<const T> a, double* values, const SingularVectors<T>& vectors);

}  // namespace warpfiber::dense
