// SPDX-License-Identifier: Apache-2.0
// Triangular factors of square matrices, and what is computed with them. A function returns LAPACK's info: 0, or the
// number, counted from 1, of the pivot that is zero or of the leading minor that is not positive. A library of LAPACK
// computes large ones; those that are not what they have to be are left to loops, whatever computes the others.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include "dense/columns.hpp"
#include "dense/lapack.hpp"
#include "dense/products.hpp"

namespace warpfiber::dense {

/// The row from k on whose element of column k is the largest.
template <class T>
std::ptrdiff_t pivot_row(std::ptrdiff_t rows, Columns<T> a, std::ptrdiff_t k) {
  std::ptrdiff_t best = k;
  for (std::ptrdiff_t i = k + 1; i < rows; ++i) {
    if (size_of_number(a(i, k)) > size_of_number(a(best, k))) best = i;
  }
  return best;
}

template <class T, class Index>
bool factor_lu_by_library(MatrixSize size, Columns<T> a, Index* pivots) {
  std::vector<int> rows(static_cast<std::size_t>(std::min(size.rows, size.columns)));
  if (pivots == nullptr || !factor_lu_by_lapack(size, a, rows.data())) return false;
  std::copy(rows.begin(), rows.end(), pivots);
  return true;
}

/// A = P * L * U. Row k was exchanged with row pivots[k], counted from 1; null: no row is exchanged.
template <class T, class Index>
std::ptrdiff_t factor_lu(MatrixSize size, Columns<T> a, Index* pivots) {
  if (factor_lu_by_library(size, a, pivots)) return 0;
  std::ptrdiff_t info = 0;
  for (std::ptrdiff_t k = 0; k < std::min(size.rows, size.columns); ++k) {
    const std::ptrdiff_t row = pivots != nullptr ? pivot_row(size.rows, a, k) : k;
    if (pivots != nullptr) pivots[k] = static_cast<Index>(row + 1);
    if (a(row, k) == T{}) {
      if (info == 0) info = k + 1;
      continue;
    }
    for (std::ptrdiff_t j = 0; row != k && j < size.columns; ++j) std::swap(a(k, j), a(row, j));
    for (std::ptrdiff_t i = k + 1; i < size.rows; ++i) a(i, k) /= a(k, k);
    const std::ptrdiff_t below = size.rows - k - 1;
    for (std::ptrdiff_t j = k + 1; j < size.columns; ++j) {
      add_column(below, -a(k, j), a.column(k) + k + 1, a.column(j) + k + 1);
    }
  }
  return info;
}

enum class SystemForm { plain, transposed, adjoint };

/// The solution X of op(A) * X = B by the factors of A, in place of B.
template <class T, class Index>
void solve_lu(MatrixSize size, Columns<const T> lu, SystemForm form, const Index* pivots, Columns<T> b) {
  const auto exchange = [&](std::ptrdiff_t k) {
    if (pivots == nullptr || pivots[k] == k + 1) return;
    for (std::ptrdiff_t j = 0; j < size.columns; ++j) std::swap(b(k, j), b(pivots[k] - 1, j));
  };
  if (form == SystemForm::plain) {
    for (std::ptrdiff_t k = 0; k < size.rows; ++k) exchange(k);
    solve_triangular<T>(size, T(1), lu.view(), {false, true}, b.view());
    solve_triangular<T>(size, T(1), lu.view(), {true, false}, b.view());
    return;
  }
  const MatrixView<const T> turned = form == SystemForm::adjoint ? lu.adjoint() : lu.view().transposed();
  solve_triangular<T>(size, T(1), turned, {false, false}, b.view());
  solve_triangular<T>(size, T(1), turned, {true, true}, b.view());
  for (std::ptrdiff_t k = size.rows; k-- > 0;) exchange(k);
}

/// What is left of a diagonal element, and its root if that is positive.
template <class T>
bool take_root(T& diagonal, Real<T> rest) {
  const bool positive = rest > 0;
  diagonal = T(positive ? std::sqrt(rest) : rest);
  return positive;
}

/// A = L * L^H in the lower triangle, or U^H * U in the upper one. The other triangle is not touched.
template <class T>
std::ptrdiff_t factor_cholesky(std::ptrdiff_t n, Columns<T> a, bool upper) {
  if (factor_cholesky_by_lapack(n, a, upper)) return 0;
  for (std::ptrdiff_t j = 0; j < n; ++j) {
    Real<T> rest = real_part(a(j, j));
    if (upper) {
      for (std::ptrdiff_t i = 0; i < j; ++i) {
        a(i, j) = (a(i, j) - inner_product(i, a.column(i), a.column(j))) / real_part(a(i, i));
      }
      rest -= real_part(inner_product(j, a.column(j), a.column(j)));
      if (!take_root(a(j, j), rest)) return j + 1;
      continue;
    }
    for (std::ptrdiff_t k = 0; k < j; ++k) {
      rest -= real_part(product(a(j, k), conjugate(a(j, k))));
      add_column(n - j - 1, -conjugate(a(j, k)), a.column(k) + j + 1, a.column(j) + j + 1);
    }
    if (!take_root(a(j, j), rest)) return j + 1;
    for (std::ptrdiff_t i = j + 1; i < n; ++i) a(i, j) /= real_part(a(j, j));
  }
  return 0;
}

/// The solution X of A * X = B by Cholesky's factor of A, in place of B.
template <class T>
void solve_cholesky(MatrixSize size, Columns<const T> a, bool upper, Columns<T> b) {
  const MatrixView<const T> first = upper ? a.adjoint() : a.view();
  const MatrixView<const T> second = upper ? a.view() : a.adjoint();
  solve_triangular<T>(size, T(1), first, {false, false}, b.view());
  solve_triangular<T>(size, T(1), second, {true, false}, b.view());
}

template <class T>
std::ptrdiff_t zero_on_diagonal(std::ptrdiff_t n, Columns<const T> a) {
  for (std::ptrdiff_t j = 0; j < n; ++j) {
    if (a(j, j) == T{}) return j + 1;
  }
  return 0;
}

/// Writes the triangle of `from` to `to`.
template <class T>
void copy_triangle(std::ptrdiff_t n, Columns<T> from, Columns<T> to, Triangle part) {
  for (std::ptrdiff_t j = 0; j < n; ++j) {
    const std::ptrdiff_t begin = part.upper ? 0 : j + (part.unit ? 1 : 0);
    const std::ptrdiff_t end = part.upper ? j + (part.unit ? 0 : 1) : n;
    for (std::ptrdiff_t i = begin; i < end; ++i) to(i, j) = from(i, j);
  }
}

template <class T>
ColumnArray<T> identity_matrix(MatrixSize size) {
  ColumnArray<T> all(size.rows, size.columns);
  for (std::ptrdiff_t i = 0; i < std::min(size.rows, size.columns); ++i) all(i, i) = T(1);
  return all;
}

/// The triangle of the inverse of A, in place of Cholesky's factor of A.
template <class T>
std::ptrdiff_t invert_cholesky(std::ptrdiff_t n, Columns<T> a, bool upper) {
  const Columns<const T> factor{a.at, a.leading};
  if (const std::ptrdiff_t zero = zero_on_diagonal(n, factor); zero != 0) return zero;
  ColumnArray<T> inverse = identity_matrix<T>({n, n});
  solve_cholesky({n, n}, factor, upper, inverse.columns());
  copy_triangle(n, inverse.columns(), a, {upper});
  return 0;
}

/// The inverse of a triangular matrix in its place.
template <class T>
std::ptrdiff_t invert_triangle(std::ptrdiff_t n, Columns<T> a, Triangle part) {
  const Columns<const T> triangle{a.at, a.leading};
  if (const std::ptrdiff_t zero = part.unit ? 0 : zero_on_diagonal(n, triangle); zero != 0) return zero;
  ColumnArray<T> inverse = identity_matrix<T>({n, n});
  solve_triangular<T>({n, n}, T(1), triangle.view(), part, inverse.columns().view());
  copy_triangle(n, inverse.columns(), a, part);
  return 0;
}

}  // namespace warpfiber::dense
