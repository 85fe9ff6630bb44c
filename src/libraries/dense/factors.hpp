// SPDX-License-Identifier: Apache-2.0
// The factors L and U by loops, which need no library: of cuBLAS, and those without pivots, which LAPACK does not have.
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>

#include "dense/columns.hpp"
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

/// A = P * L * U. Row k was exchanged with row pivots[k], counted from 1; null: no row is exchanged. Returns LAPACK's
/// info: 0, or the number, counted from 1, of the first pivot that is zero.
template <class T>
std::ptrdiff_t factor_lu(MatrixSize size, Columns<T> a, int* pivots) {
  std::ptrdiff_t info = 0;
  for (std::ptrdiff_t k = 0; k < std::min(size.rows, size.columns); ++k) {
    const std::ptrdiff_t row = pivots != nullptr ? pivot_row(size.rows, a, k) : k;
    if (pivots != nullptr) pivots[k] = static_cast<int>(row + 1);
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

/// The solution X of op(A) * X = B by the factors of A, in place of B.
template <class T>
void solve_lu(MatrixSize size, Columns<const T> lu, SystemForm form, const int* pivots, Columns<T> b) {
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

template <class T>
std::ptrdiff_t zero_on_diagonal(std::ptrdiff_t n, Columns<const T> a) {
  for (std::ptrdiff_t j = 0; j < n; ++j) {
    if (a(j, j) == T{}) return j + 1;
  }
  return 0;
}

}  // namespace warpfiber::dense
