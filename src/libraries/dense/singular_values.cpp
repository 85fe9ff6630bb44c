// SPDX-License-Identifier: Apache-2.0
// Rotations of pairs of columns until all of them are orthogonal; their lengths are the singular values then. A matrix
// with more rows than columns is replaced by its triangular factor R.
#include "dense/eigenvalues.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <vector>

namespace warpfiber::dense {
namespace {

template <class T>
double largest_size(MatrixSize size, Columns<const T> a) {
  double largest = 0;
  for (std::ptrdiff_t j = 0; j < size.columns; ++j) {
    for (std::ptrdiff_t i = 0; i < size.rows; ++i) {
      const double number = std::abs(a(i, j));
      if (!(number <= largest)) largest = number;
    }
  }
  return largest;
}

/// Lengths below this are rounding errors, where the largest element is 1.
double least_length(std::ptrdiff_t n) {
  return static_cast<double>(n) * std::numeric_limits<double>::epsilon();
}

template <class T>
double square_of_column(std::ptrdiff_t n, const T* x) {
  return real_part(inner_product(n, x, x));
}

/// One sweep over all pairs of columns. Returns the largest cosine of an angle between two of them, before it was
/// turned. Squares of lengths are kept, and computed anew where a rotation has made a column much shorter.
template <class T>
double sweep(std::ptrdiff_t n, Columns<T> a, Columns<T> v, double tolerance) {
  constexpr double kMuchShorter = 0.01;
  const double least = least_length(n) * least_length(n);
  std::vector<double> squares(static_cast<std::size_t>(n));
  for (std::ptrdiff_t j = 0; j < n; ++j) squares[j] = square_of_column(n, a.column(j));
  const auto change = [&](std::ptrdiff_t j, double by) {
    const double before = squares[j];
    squares[j] += by;
    if (!(squares[j] > kMuchShorter * before)) squares[j] = square_of_column(n, a.column(j));
  };
  double worst = 0;
  for (std::ptrdiff_t p = 0; p < n; ++p) {
    for (std::ptrdiff_t q = p + 1; q < n; ++q) {
      const T coupling = inner_product(n, a.column(p), a.column(q));
      const double size = std::abs(coupling);
      const double cosine = size / std::sqrt(std::max(squares[p], least) * std::max(squares[q], least));
      if (!(cosine <= worst)) worst = cosine;
      if (cosine <= tolerance) continue;
      const auto turn = Rotation<T>::against(coupling, squares[p], squares[q]);
      turn.turn_columns(n, a.column(p), a.column(q));
      turn.turn_columns(n, v.column(p), v.column(q));
      change(p, -turn.s / turn.c * size);
      change(q, turn.s / turn.c * size);
    }
  }
  return worst;
}

/// Replaces columns of `u` from `known` on by such that make it unitary. Those before are orthonormal.
template <class T>
void complete(MatrixSize size, std::ptrdiff_t known, Columns<T> u) {
  if (known == size.columns) return;
  ColumnArray<T> basis(size.rows, size.columns);
  copy_columns<T, T>({size.rows, known}, u, basis.columns());
  std::vector<T> tau(static_cast<std::size_t>(known));
  factor_qr<T>({size.rows, known}, basis.columns(), tau.data());
  make_q<T>(size, known, basis.columns(), tau.data());
  copy_columns<T, T>({size.rows, size.columns - known}, basis.columns().from(0, known), u.from(0, known));
}

template <class T>
JacobiOutcome rotate_until_orthogonal(std::ptrdiff_t n, Columns<T> r, Columns<T> v, const JacobiLimits& limits) {
  const double least = std::sqrt(static_cast<double>(n)) * std::numeric_limits<double>::epsilon();
  const double tolerance = std::max(limits.tolerance, least);
  JacobiOutcome outcome;
  while (outcome.sweeps < limits.sweeps && !outcome.converged) {
    outcome.residual = sweep(n, r, v, tolerance);
    ++outcome.sweeps;
    outcome.converged = outcome.residual <= tolerance;
  }
  return outcome;
}

/// Of the n by n matrix `r`: its columns become those of U.
template <class T>
JacobiOutcome square_values(std::ptrdiff_t n, Columns<T> r, double* values, Columns<T> v, const JacobiLimits& limits) {
  copy_columns<T, T>({n, n}, identity_matrix<T>({n, n}).columns(), v);
  const double scale = largest_size<T>({n, n}, {r.at, r.leading});
  if (scale == 0 || !std::isfinite(scale)) {
    std::fill_n(values, n, scale);
    copy_columns<T, T>({n, n}, v, r);
    return {0, scale, scale == 0};
  }
  for (std::ptrdiff_t j = 0; j < n; ++j) {
    for (std::ptrdiff_t i = 0; i < n; ++i) r(i, j) /= scale;
  }
  const JacobiOutcome outcome = rotate_until_orthogonal(n, r, v, limits);
  for (std::ptrdiff_t j = 0; j < n; ++j) values[j] = column_norm(n, r.column(j));
  std::vector<double> same(values, values + n);
  sort_with_columns(n, same.data(), n, r, std::greater<>());
  sort_with_columns(n, values, n, v, std::greater<>());
  const double least = least_length(n);
  const std::ptrdiff_t known = std::find_if(values, values + n, [=](double it) { return it <= least; }) - values;
  for (std::ptrdiff_t j = 0; j < known; ++j) {
    for (std::ptrdiff_t i = 0; i < n; ++i) r(i, j) /= values[j];
  }
  complete<T>({n, n}, known, r);
  for (std::ptrdiff_t j = 0; j < n; ++j) values[j] *= scale;
  return outcome;
}

}  // namespace

template <class T>
JacobiOutcome find_singular_values(MatrixSize size, Columns<const T> a, double* values,
                                   const SingularVectors<T>& vectors, const JacobiLimits& limits) {
  const std::ptrdiff_t n = size.columns;
  ColumnArray<T> factors(size.rows, n);
  copy_columns<const T, T>(size, a, factors.columns());
  std::vector<T> tau(static_cast<std::size_t>(n));
  if (size.rows > n) factor_qr(size, factors.columns(), tau.data());
  ColumnArray<T> r(n, n);
  for (std::ptrdiff_t j = 0; j < n; ++j) {
    for (std::ptrdiff_t i = 0; i < (size.rows > n ? j + 1 : n); ++i) r(i, j) = factors(i, j);
  }
  const JacobiOutcome outcome = square_values(n, r.columns(), values, vectors.v, limits);
  const MatrixSize of_u{size.rows, vectors.columns_of_u};
  copy_columns<T, T>(of_u, identity_matrix<T>(of_u).columns(), vectors.u);
  copy_columns<T, T>({n, std::min(n, of_u.columns)}, r.columns(), vectors.u);
  const Columns<T> reflections = factors.columns();
  if (size.rows > n) {
    multiply_by_q<T>({{reflections.at, reflections.leading}, tau.data(), n}, true, false, of_u, vectors.u);
  }
  return outcome;
}

template JacobiOutcome find_singular_values(MatrixSize, Columns<const double>, double*, const SingularVectors<double>&,
                                            const JacobiLimits&);
template JacobiOutcome find_singular_values(MatrixSize, Columns<const std::complex<double>>, double*,
                                            const SingularVectors<std::complex<double>>&, const JacobiLimits&);

}  // namespace warpfiber::dense
