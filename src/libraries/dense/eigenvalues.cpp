// SPDX-License-Identifier: Apache-2.0
// Golub and Van Loan, Matrix Computations: Jacobi's method (8.5).
#include "dense/eigenvalues.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

namespace warpfiber::dense {
namespace {

constexpr double kEpsilon = std::numeric_limits<double>::epsilon() / 2;

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

}  // namespace

template <class T>
JacobiOutcome find_spectrum_by_rotations(std::ptrdiff_t n, Columns<T> a, Columns<T> v, double* values,
                                         const JacobiLimits& limits) {
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

template JacobiOutcome find_spectrum_by_rotations(std::ptrdiff_t, Columns<double>, Columns<double>, double*,
                                                  const JacobiLimits&);
template JacobiOutcome find_spectrum_by_rotations(std::ptrdiff_t, Columns<std::complex<double>>,
                                                  Columns<std::complex<double>>, double*, const JacobiLimits&);

}  // namespace warpfiber::dense
