// SPDX-License-Identifier: Apache-2.0
// Householder's reflections H = I - tau * v * v^H, and the factors A = Q * R that they give. As in LAPACK v[0] is 1,
// and the rest of v is stored below the diagonal of R; Q is H1 * H2 * ... * Hk.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "dense/columns.hpp"
#include "dense/factors.hpp"

namespace warpfiber::dense {

/// Makes of x[0..n) the reflection with H^H * x = beta * e1, where beta is real. x[0] becomes beta, the others v.
template <class T>
T make_reflection(std::ptrdiff_t n, T* x) {
  const Real<T> rest = column_norm(n - 1, x + 1);
  const T alpha = x[0];
  if (rest == 0 && alpha == T(real_part(alpha))) return T{};
  const Real<T> length = std::hypot(std::abs(alpha), rest);
  const Real<T> beta = std::copysign(length, -real_part(alpha));
  const T tau = (T(beta) - alpha) / beta;
  for (std::ptrdiff_t i = 1; i < n; ++i) x[i] /= alpha - T(beta);
  x[0] = T(beta);
  return tau;
}

/// C = C - tau * v * (v^H * C), where v[0] counts as 1.
template <class T>
void reflect_from_left(MatrixSize size, const T* v, T tau, Columns<T> c) {
  if (tau == T{}) return;
  for (std::ptrdiff_t j = 0; j < size.columns; ++j) {
    T* const column = c.column(j);
    const T along = product(tau, column[0] + inner_product(size.rows - 1, v + 1, column + 1));
    column[0] -= along;
    add_column(size.rows - 1, -along, v + 1, column + 1);
  }
}

/// C = C - tau * (C * v) * v^H, where v[0] counts as 1.
template <class T>
void reflect_from_right(MatrixSize size, const T* v, T tau, Columns<T> c) {
  if (tau == T{}) return;
  std::vector<T> along(c.column(0), c.column(0) + size.rows);
  for (std::ptrdiff_t j = 1; j < size.columns; ++j) add_column(size.rows, v[j], c.column(j), along.data());
  for (std::ptrdiff_t j = 0; j < size.columns; ++j) {
    const T factor = j == 0 ? tau : product(tau, conjugate(v[j]));
    add_column(size.rows, -factor, along.data(), c.column(j));
  }
}

/// A = Q * R, with min(rows, columns) reflections.
template <class T>
void factor_qr(MatrixSize size, Columns<T> a, T* tau) {
  if (factor_qr_by_lapack(size, a, tau)) return;
  for (std::ptrdiff_t k = 0; k < std::min(size.rows, size.columns); ++k) {
    tau[k] = make_reflection(size.rows - k, a.column(k) + k);
    if (k + 1 == size.columns) return;
    reflect_from_left<T>({size.rows - k, size.columns - k - 1}, a.column(k) + k, conjugate(tau[k]), a.from(k, k + 1));
  }
}

/// Q of `count` reflections.
template <class T>
struct Reflections {
  Columns<const T> v;
  const T* tau;
  std::ptrdiff_t count;
};

/// C = op(Q) * C or C * op(Q), where op(Q) is Q or its adjoint.
template <class T>
void multiply_by_q(const Reflections<T>& q, bool from_left, bool adjoint, MatrixSize size, Columns<T> c) {
  if (multiply_by_q_by_lapack(q.v, q.tau, q.count, from_left, adjoint, size, c)) return;
  for (std::ptrdiff_t step = 0; step < q.count; ++step) {
    const std::ptrdiff_t k = from_left == adjoint ? step : q.count - 1 - step;
    const T tau = adjoint ? conjugate(q.tau[k]) : q.tau[k];
    if (from_left) {
      reflect_from_left<T>({size.rows - k, size.columns}, q.v.column(k) + k, tau, c.from(k, 0));
    } else {
      reflect_from_right<T>({size.rows, size.columns - k}, q.v.column(k) + k, tau, c.from(0, k));
    }
  }
}

/// The first columns of Q.
template <class T>
ColumnArray<T> columns_of_q(const Reflections<T>& q, MatrixSize size) {
  ColumnArray<T> all = identity_matrix<T>(size);
  multiply_by_q(q, true, false, size, all.columns());
  return all;
}

}  // namespace warpfiber::dense
