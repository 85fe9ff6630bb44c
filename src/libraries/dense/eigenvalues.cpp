// SPDX-License-Identifier: Apache-2.0
// Golub and Van Loan, Matrix Computations: Householder's tridiagonal matrix (8.3.1), QL steps with Wilkinson's shift
// (8.3.3), Jacobi's method (8.5).
#include "dense/eigenvalues.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "dense/lapack.hpp"
#include "dense/reflections.hpp"

namespace warpfiber::dense {
namespace {

constexpr double kEpsilon = std::numeric_limits<double>::epsilon() / 2;

/// B = H^H * B * H of a Hermitian B.
template <class T>
void reflect_both_sides(std::ptrdiff_t n, const T* v, T tau, Columns<T> b) {
  if (tau == T{}) return;
  std::vector<T> w(static_cast<std::size_t>(n));
  for (std::ptrdiff_t j = 0; j < n; ++j) add_column(n, product(tau, v[j]), b.column(j), w.data());
  const T half = T(0.5) * product(tau, inner_product(n, w.data(), v));
  add_column(n, -half, v, w.data());
  for (std::ptrdiff_t j = 0; j < n; ++j) {
    add_column(n, -conjugate(w[j]), v, b.column(j));
    add_column(n, -conjugate(v[j]), w.data(), b.column(j));
  }
}

/// The diagonal and the numbers next to it; `a` becomes the unitary matrix Q of A = Q * T * Q^H.
template <class T>
void make_tridiagonal(std::ptrdiff_t n, Columns<T> a, std::vector<double>& diagonal,
                      std::vector<double>& off_diagonal) {
  std::vector<T> tau(static_cast<std::size_t>(n));
  for (std::ptrdiff_t k = 0; k < n; ++k) {
    diagonal[k] = real_part(a(k, k));
    if (k + 1 == n) break;
    T* const v = a.column(k) + k + 1;
    tau[k] = make_reflection(n - k - 1, v);
    off_diagonal[k] = real_part(v[0]);
    v[0] = T(1);
    reflect_both_sides(n - k - 1, v, tau[k], a.from(k + 1, k + 1));
  }
  ColumnArray<T> q = identity_matrix<T>({n, n});
  if (n > 1) {
    const Columns<const T> v{a.at + 1, a.leading};
    multiply_by_q<T>({v, tau.data(), n - 1}, true, false, {n - 1, n - 1}, q.columns().from(1, 1));
  }
  copy_columns<T, T>({n, n}, q.columns(), a);
}

/// One QL step on the rows first to last of a tridiagonal matrix, with Wilkinson's shift.
template <class T>
void ql_step(std::ptrdiff_t n, std::ptrdiff_t first, std::ptrdiff_t last, double* d, double* e, Columns<T> q) {
  const double slope = (d[first + 1] - d[first]) / (2 * e[first]);
  double g = d[last] - d[first] + e[first] / (slope + std::copysign(std::hypot(slope, 1.0), slope));
  double c = 1, s = 1, p = 0;
  for (std::ptrdiff_t i = last; i-- > first;) {
    const double f = s * e[i];
    const double b = c * e[i];
    const double length = std::hypot(f, g);
    e[i + 1] = length;
    if (length == 0) {
      d[i + 1] -= p;
      e[last] = 0;
      return;
    }
    s = f / length;
    c = g / length;
    g = d[i + 1] - p;
    const double r = (d[i] - g) * s + 2 * c * b;
    p = s * r;
    d[i + 1] = g + p;
    g = c * r - b;
    Rotation<T>{c, s, T(1)}.turn_columns(n, q.column(i), q.column(i + 1));
  }
  d[first] -= p;
  e[first] = g;
  e[last] = 0;
}

/// The end of the block that begins with row `first`: what is next to the diagonal there counts as zero.
std::ptrdiff_t end_of_block(std::ptrdiff_t first, std::ptrdiff_t n, const double* d, const double* e) {
  std::ptrdiff_t last = first;
  while (last + 1 < n && !(std::abs(e[last]) <= kEpsilon * (std::abs(d[last]) + std::abs(d[last + 1])))) ++last;
  return last;
}

template <class T>
Spectrum spectrum(std::ptrdiff_t n, Columns<T> a) {
  constexpr int kSteps = 30;  // to a value, as in LAPACK
  Spectrum found;
  found.values.resize(static_cast<std::size_t>(n));
  if (find_spectrum_by_lapack(n, a, found.values.data())) return found;
  std::vector<double> off_diagonal(static_cast<std::size_t>(n));
  make_tridiagonal(n, a, found.values, off_diagonal);
  std::ptrdiff_t steps = kSteps * n;
  std::ptrdiff_t first = 0;
  while (first < n && steps > 0) {
    const std::ptrdiff_t last = end_of_block(first, n, found.values.data(), off_diagonal.data());
    if (last == first) {
      ++first;
      continue;
    }
    ql_step(n, first, last, found.values.data(), off_diagonal.data(), a);
    --steps;
  }
  if (first < n) found.info = n - std::count(off_diagonal.begin(), off_diagonal.end(), 0.0);
  sort_with_columns(n, found.values.data(), n, a, std::less<>());
  return found;
}

template <class T>
double off_diagonal_norm(std::ptrdiff_t n, Columns<T> a) {
  double square = 0;
  for (std::ptrdiff_t j = 0; j < n; ++j) {
    for (std::ptrdiff_t i = 0; i < n; ++i) square += i == j ? 0 : std::norm(a(i, j));
  }
  return std::sqrt(square);
}

/// Makes the element (p, q) zero. Rows are the columns' conjugates, so that rounding keeps the matrix Hermitian.
template <class T>
void rotate(std::ptrdiff_t n, std::ptrdiff_t p, std::ptrdiff_t q, Columns<T> a, Columns<T> v) {
  const T coupling = a(p, q);
  const double size = std::abs(coupling);
  const double first = real_part(a(p, p));
  const double second = real_part(a(q, q));
  a(p, q) = a(q, p) = T{};
  if (size < std::numeric_limits<double>::min()) return;
  const auto turn = Rotation<T>::against(coupling, first, second);
  turn.turn_columns(n, a.column(p), a.column(q));
  turn.turn_columns(n, v.column(p), v.column(q));
  a(p, p) = first - turn.s / turn.c * size;
  a(q, q) = second + turn.s / turn.c * size;
  a(p, q) = a(q, p) = T{};
  for (std::ptrdiff_t j = 0; j < n; ++j) {
    a(p, j) = conjugate(a(j, p));
    a(q, j) = conjugate(a(j, q));
  }
}

template <class T>
JacobiOutcome rotations(std::ptrdiff_t n, Columns<T> a, Columns<T> v, double* values, const JacobiLimits& limits) {
  copy_columns<T, T>({n, n}, identity_matrix<T>({n, n}).columns(), v);
  double square = 0;
  for (std::ptrdiff_t j = 0; j < n; ++j) square += std::pow(column_norm(n, a.column(j)), 2);
  const double enough = std::max(limits.tolerance, 2 * kEpsilon) * std::sqrt(square);
  JacobiOutcome outcome{0, off_diagonal_norm(n, a), false};
  while (!(outcome.residual <= enough) && outcome.sweeps < limits.sweeps) {
    for (std::ptrdiff_t p = 0; p < n; ++p) {
      for (std::ptrdiff_t q = p + 1; q < n; ++q) rotate(n, p, q, a, v);
    }
    ++outcome.sweeps;
    outcome.residual = off_diagonal_norm(n, a);
  }
  outcome.converged = outcome.residual <= enough;
  for (std::ptrdiff_t j = 0; j < n; ++j) values[j] = real_part(a(j, j));
  if (limits.sorted) sort_with_columns(n, values, n, v, std::less<>());
  return outcome;
}

}  // namespace

Spectrum find_spectrum(std::ptrdiff_t n, Columns<double> a) {
  return spectrum(n, a);
}
Spectrum find_spectrum(std::ptrdiff_t n, Columns<std::complex<double>> a) {
  return spectrum(n, a);
}
JacobiOutcome find_spectrum_by_rotations(std::ptrdiff_t n, Columns<double> a, Columns<double> v, double* values,
                                         const JacobiLimits& limits) {
  return rotations(n, a, v, values, limits);
}
JacobiOutcome find_spectrum_by_rotations(std::ptrdiff_t n, Columns<std::complex<double>> a,
                                         Columns<std::complex<double>> v, double* values, const JacobiLimits& limits) {
  return rotations(n, a, v, values, limits);
}

}  // namespace warpfiber::dense
