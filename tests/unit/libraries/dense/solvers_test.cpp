// SPDX-License-Identifier: Apache-2.0
// Factors, eigenvalues and singular values of random matrices: what they have to multiply to, and what has to be
// unitary.
#include <algorithm>
#include <cmath>
#include <complex>
#include <vector>

#include "dense/eigenvalues.hpp"
#include "dense/factors.hpp"
#include "dense/reflections.hpp"
#include "dense/singular_values.hpp"
#include "support/catch.hpp"
#include "unit/libraries/dense/random_matrices.hpp"

using namespace warpfiber::dense;

namespace {

/// A * B.
template <class T>
ColumnArray<T> multiplied(MatrixSize size, std::ptrdiff_t k, MatrixView<const T> a, MatrixView<const T> b) {
  ColumnArray<T> c(size.rows, size.columns);
  multiply<T, T, T>(size, k, T(1), a, b, T(0), c.columns().view());
  return c;
}

template <class T>
double from_unitary(MatrixSize size, ColumnArray<T>& q) {
  const Columns<const T> columns = reading(q);
  return difference({size.columns, size.columns},
                    multiplied<T>({size.columns, size.columns}, size.rows, columns.adjoint(), columns.view()),
                    identity_matrix<T>({size.columns, size.columns}));
}

const std::ptrdiff_t kOrders[] = {1, 2, 3, 7, 32};

template <class T>
void check_lu(std::ptrdiff_t n) {
  ColumnArray<T> a = random_matrix<T>(n, n);
  ColumnArray<T> x = random_matrix<T>(n, 3);
  ColumnArray<T> lu = a;
  std::vector<int> pivots(static_cast<std::size_t>(n));
  CHECK(factor_lu({n, n}, lu.columns(), pivots.data()) == 0);
  for (const SystemForm form : {SystemForm::plain, SystemForm::transposed, SystemForm::adjoint}) {
    MatrixView<const T> stored = reading(a).view();
    if (form != SystemForm::plain) stored = form == SystemForm::adjoint ? reading(a).adjoint() : stored.transposed();
    ColumnArray<T> solution = x;
    solve_lu<T>({n, 3}, reading(lu), form, pivots.data(), solution.columns());
    double size = 1;
    for (std::ptrdiff_t i = 0; i < n; ++i) size = std::max(size, double(std::abs(solution(i, 0))));
    CHECK(difference({n, 3}, multiplied<T>({n, 3}, n, stored, reading(solution).view()), x) < 100 * size * double(n));
  }
}

template <class T>
void check_cholesky(std::ptrdiff_t n, bool upper) {
  ColumnArray<T> a = hermitian_matrix<T>(n, double(n));
  ColumnArray<T> factor = a;
  CHECK(factor_cholesky(n, factor.columns(), upper) == 0);
  ColumnArray<T> x = identity_matrix<T>({n, n});
  solve_cholesky<T>({n, n}, reading(factor), upper, x.columns());
  CHECK(difference({n, n}, multiplied<T>({n, n}, n, reading(a).view(), reading(x).view()), identity_matrix<T>({n, n})) <
        20 + double(n));
  CHECK(invert_cholesky(n, factor.columns(), upper) == 0);
  for (std::ptrdiff_t i = 0; i < n; ++i) CHECK(factor(i, i) == x(i, i));
}

template <class T>
void check_qr(MatrixSize size) {
  ColumnArray<T> a = random_matrix<T>(size.rows, size.columns);
  ColumnArray<T> factors = a;
  std::vector<T> tau(static_cast<std::size_t>(size.columns));
  factor_qr(size, factors.columns(), tau.data());
  ColumnArray<T> r(size.rows, size.columns);
  copy_triangle(std::min(size.rows, size.columns), factors.columns(), r.columns(), {true});
  for (std::ptrdiff_t j = size.rows; j < size.columns; ++j) {
    for (std::ptrdiff_t i = 0; i < size.rows; ++i) r(i, j) = factors(i, j);
  }
  const Reflections<T> q{reading(factors), tau.data(), std::min(size.rows, size.columns)};
  ColumnArray<T> whole = columns_of_q(q, {size.rows, size.rows});
  CHECK(from_unitary<T>({size.rows, size.rows}, whole) < 20);
  multiply_by_q(q, true, false, size, r.columns());
  CHECK(difference(size, r, a) < 20);
  multiply_by_q(q, true, true, size, r.columns());
  ColumnArray<T> back = multiplied<T>(size, size.rows, reading(whole).adjoint(), reading(a).view());
  CHECK(difference(size, r, back) < 40);
  ColumnArray<T> right = random_matrix<T>(3, size.rows);
  ColumnArray<T> product = multiplied<T>({3, size.rows}, size.rows, reading(right).view(), reading(whole).view());
  multiply_by_q(q, false, false, {3, size.rows}, right.columns());
  CHECK(difference({3, size.rows}, right, product) < 40);
}

/// A * V and V * diag(w).
template <class T>
double eigen_difference(std::ptrdiff_t n, ColumnArray<T>& a, ColumnArray<T>& v, const std::vector<double>& w) {
  ColumnArray<T> scaled = v;
  for (std::ptrdiff_t j = 0; j < n; ++j) {
    for (std::ptrdiff_t i = 0; i < n; ++i) scaled(i, j) *= w[j];
  }
  return difference({n, n}, multiplied<T>({n, n}, n, reading(a).view(), reading(v).view()), scaled);
}

template <class T>
void check_spectrum(ColumnArray<T> a, std::ptrdiff_t n) {
  ColumnArray<T> v = a;
  const Spectrum found = find_spectrum(n, v.columns());
  CHECK(found.info == 0);
  CHECK(std::is_sorted(found.values.begin(), found.values.end()));
  CHECK(eigen_difference(n, a, v, found.values) < 20 * double(n));
  CHECK(from_unitary<T>({n, n}, v) < 20 + double(n));
  ColumnArray<T> copy = a;
  std::vector<double> values(static_cast<std::size_t>(n));
  const JacobiOutcome outcome = find_spectrum_by_rotations(n, copy.columns(), v.columns(), values.data(), {});
  CHECK(outcome.converged);
  CHECK(eigen_difference(n, a, v, values) < 20 * double(n));
  for (std::ptrdiff_t i = 0; i < n; ++i) CHECK(std::abs(values[i] - found.values[i]) < 1e-14 * double(n));
}

template <class T>
void check_singular_values(MatrixSize size, ColumnArray<T> a, std::ptrdiff_t rank) {
  const std::ptrdiff_t n = size.columns;
  ColumnArray<T> u(size.rows, size.rows);
  ColumnArray<T> v(n, n);
  std::vector<double> s(static_cast<std::size_t>(n));
  const JacobiOutcome outcome =
      find_singular_values(size, reading(a), s.data(), {u.columns(), size.rows, v.columns()}, {});
  CHECK(outcome.converged);
  CHECK(std::is_sorted(s.rbegin(), s.rend()));
  CHECK(std::count_if(s.begin(), s.end(), [](double value) { return value > 1e-14; }) == rank);
  CHECK(from_unitary<T>({size.rows, size.rows}, u) < 20 + double(size.rows));
  CHECK(from_unitary<T>({n, n}, v) < 20 + double(n));
  for (std::ptrdiff_t j = 0; j < n; ++j) {
    for (std::ptrdiff_t i = 0; i < size.rows; ++i) u(i, j) *= s[j];
  }
  CHECK(difference(size, multiplied<T>(size, n, reading(u).view(), reading(v).adjoint()), a) < 20 + double(n));
}

template <class T>
ColumnArray<T> of_rank_one(MatrixSize size) {
  ColumnArray<T> column = random_matrix<T>(size.rows, 1);
  ColumnArray<T> row = random_matrix<T>(1, size.columns);
  return multiplied<T>(size, 1, reading(column).view(), reading(row).view());
}

}  // namespace

TEST_CASE("the factors L and U solve systems, plain, transposed and conjugated") {
  const UsedBlas by(GENERATE(BlasUse::off, BlasUse::always));
  for (const std::ptrdiff_t n : kOrders) {
    check_lu<float>(n);
    check_lu<double>(n);
    check_lu<std::complex<float>>(n);
    check_lu<std::complex<double>>(n);
  }
}

TEST_CASE("L and U name the first pivot that is zero") {
  const UsedBlas by(GENERATE(BlasUse::off, BlasUse::always));
  ColumnArray<double> a(3, 3);
  std::vector<int> pivots(3);
  CHECK(factor_lu({3, 3}, a.columns(), pivots.data()) == 1);
  for (std::ptrdiff_t i = 0; i < 3; ++i) a(i, i) = i == 1 ? 0 : 2;
  CHECK(factor_lu({3, 3}, a.columns(), pivots.data()) == 2);
  CHECK(factor_lu<double, int>({3, 3}, a.columns(), nullptr) == 2);
}

TEST_CASE("Cholesky's factor solves systems and gives the inverse") {
  const UsedBlas by(GENERATE(BlasUse::off, BlasUse::always));
  for (const std::ptrdiff_t n : kOrders) {
    for (const bool upper : {false, true}) {
      check_cholesky<float>(n, upper);
      check_cholesky<double>(n, upper);
      check_cholesky<std::complex<float>>(n, upper);
      check_cholesky<std::complex<double>>(n, upper);
    }
  }
}

TEST_CASE("Cholesky's factor names the first leading minor that is not positive") {
  const UsedBlas by(GENERATE(BlasUse::off, BlasUse::always));
  for (const bool upper : {false, true}) {
    ColumnArray<double> a = identity_matrix<double>({3, 3});
    a(1, 0) = a(0, 1) = 2;
    CHECK(factor_cholesky(3, a.columns(), upper) == 2);
    a(0, 0) = std::numeric_limits<double>::quiet_NaN();
    CHECK(factor_cholesky(3, a.columns(), upper) == 1);
  }
}

TEST_CASE("reflections give a unitary Q and A as Q * R") {
  const UsedBlas by(GENERATE(BlasUse::off, BlasUse::always));
  for (const MatrixSize size : {MatrixSize{1, 1}, {5, 3}, {3, 5}, {4, 4}, {30, 20}}) {
    check_qr<float>(size);
    check_qr<double>(size);
    check_qr<std::complex<float>>(size);
    check_qr<std::complex<double>>(size);
  }
}

TEST_CASE("a triangle's inverse stays within the triangle") {
  const UsedBlas by(GENERATE(BlasUse::off, BlasUse::always));
  ColumnArray<double> a = random_matrix<double>(5, 5);
  for (std::ptrdiff_t i = 0; i < 5; ++i) a(i, i) = 2;
  ColumnArray<double> inverse = a;
  CHECK(invert_triangle(5, inverse.columns(), {true}) == 0);
  CHECK(inverse(4, 1) == a(4, 1));
  ColumnArray<double> upper(5, 5), upper_inverse(5, 5);
  copy_triangle(5, a.columns(), upper.columns(), {true});
  copy_triangle(5, inverse.columns(), upper_inverse.columns(), {true});
  CHECK(difference<double>({5, 5}, multiplied<double>({5, 5}, 5, reading(upper).view(), reading(upper_inverse).view()),
                           identity_matrix<double>({5, 5})) < 10);
}

TEST_CASE("eigenvalues of Hermitian matrices, by QL steps and by Jacobi's method") {
  const UsedBlas by(GENERATE(BlasUse::off, BlasUse::always));
  for (const std::ptrdiff_t n : kOrders) {
    check_spectrum(hermitian_matrix<double>(n), n);
    check_spectrum(hermitian_matrix<std::complex<double>>(n), n);
  }
  check_spectrum(ColumnArray<double>(4, 4), 4);
  check_spectrum(identity_matrix<std::complex<double>>({4, 4}), 4);
}

TEST_CASE("Jacobi's method stops after the sweeps that it may take") {
  const UsedBlas by(GENERATE(BlasUse::off, BlasUse::always));
  ColumnArray<double> a = hermitian_matrix<double>(8), v(8, 8);
  std::vector<double> values(8);
  const JacobiOutcome outcome = find_spectrum_by_rotations(8, a.columns(), v.columns(), values.data(), {0, 1, true});
  CHECK(outcome.sweeps == 1);
  CHECK_FALSE(outcome.converged);
}

TEST_CASE("eigenvalues of a matrix with NaN are not found") {
  const UsedBlas by(GENERATE(BlasUse::off, BlasUse::always));
  ColumnArray<double> a = hermitian_matrix<double>(4);
  a(1, 1) = std::numeric_limits<double>::quiet_NaN();
  CHECK(find_spectrum(4, a.columns()).info > 0);
}

TEST_CASE("singular values and both unitary factors, of any rank") {
  const UsedBlas by(GENERATE(BlasUse::off, BlasUse::always));
  for (const MatrixSize size : {MatrixSize{1, 1}, {4, 4}, {7, 3}, {40, 32}}) {
    check_singular_values(size, random_matrix<double>(size.rows, size.columns), size.columns);
    check_singular_values(size, random_matrix<std::complex<double>>(size.rows, size.columns), size.columns);
    check_singular_values(size, of_rank_one<double>(size), 1);
    check_singular_values(size, of_rank_one<std::complex<double>>(size), 1);
    check_singular_values(size, ColumnArray<double>(size.rows, size.columns), 0);
  }
}
