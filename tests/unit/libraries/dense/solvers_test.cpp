// SPDX-License-Identifier: Apache-2.0
// Factors, eigenvalues and singular values of random matrices: what they have to multiply to, and what has to be
// unitary.
#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <vector>

#include "dense/eigenvalues.hpp"
#include "dense/factors.hpp"
#include "dense/lapack.hpp"
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
ColumnArray<T> one(T element) {
  ColumnArray<T> a(1, 1);
  a(0, 0) = element;
  return a;
}

template <class T>
double from_unitary(MatrixSize size, ColumnArray<T>& q) {
  const Columns<const T> columns = reading(q);
  return difference({size.columns, size.columns},
                    multiplied<T>({size.columns, size.columns}, size.rows, columns.adjoint(), columns.view()),
                    identity_matrix<T>({size.columns, size.columns}));
}

const double kNotFinite[] = {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()};
const std::ptrdiff_t kOrders[] = {1, 2, 3, 7, 32};

/// L and U by LAPACK or by loops, and what they are solved by.
template <class T>
struct LuForm {
  std::ptrdiff_t (*factor)(MatrixSize, Columns<T>, int*);
  void (*solve)(MatrixSize, Columns<const T>, SystemForm, const int*, Columns<T>);
};

template <class T>
void check_lu(std::ptrdiff_t n, const LuForm<T>& by) {
  ColumnArray<T> a = random_matrix<T>(n, n);
  ColumnArray<T> x = random_matrix<T>(n, 3);
  ColumnArray<T> lu = a;
  std::vector<int> pivots(static_cast<std::size_t>(n));
  CHECK(by.factor({n, n}, lu.columns(), pivots.data()) == 0);
  for (const SystemForm form : {SystemForm::plain, SystemForm::transposed, SystemForm::adjoint}) {
    MatrixView<const T> stored = reading(a).view();
    if (form != SystemForm::plain) stored = form == SystemForm::adjoint ? reading(a).adjoint() : stored.transposed();
    ColumnArray<T> solution = x;
    by.solve({n, 3}, reading(lu), form, pivots.data(), solution.columns());
    double size = 1;
    for (std::ptrdiff_t i = 0; i < n; ++i) size = std::max(size, double(std::abs(solution(i, 0))));
    CHECK(difference({n, 3}, multiplied<T>({n, 3}, n, stored, reading(solution).view()), x) < 100 * size * double(n));
  }
}

template <class T>
void check_lu(std::ptrdiff_t n) {
  check_lu<T>(n, {factor_with_pivots<T>, solve_with_pivots<T>});
  check_lu<T>(n, {factor_lu<T>, solve_lu<T>});
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
  for (std::ptrdiff_t i = 0; i < n; ++i) CHECK(difference({1, 1}, one(factor(i, i)), one(x(i, i))) < 20 + double(n));
}

template <class T>
void copy_upper(MatrixSize size, ColumnArray<T>& from, ColumnArray<T>& to) {
  for (std::ptrdiff_t j = 0; j < size.columns; ++j) {
    for (std::ptrdiff_t i = 0; i < std::min(j + 1, size.rows); ++i) to(i, j) = from(i, j);
  }
}

template <class T>
void check_qr(MatrixSize size) {
  ColumnArray<T> a = random_matrix<T>(size.rows, size.columns);
  ColumnArray<T> factors = a;
  std::vector<T> tau(static_cast<std::size_t>(size.columns));
  factor_qr(size, factors.columns(), tau.data());
  ColumnArray<T> r(size.rows, size.columns);
  copy_upper(size, factors, r);
  const Reflections<T> q{reading(factors), tau.data(), std::min(size.rows, size.columns)};
  ColumnArray<T> whole(size.rows, size.rows);
  copy_columns<T, T>({size.rows, q.count}, factors.columns(), whole.columns());
  make_q<T>({size.rows, size.rows}, q.count, whole.columns(), tau.data());
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
  std::vector<double> found(static_cast<std::size_t>(n));
  CHECK(find_spectrum(n, v.columns(), found.data()) == 0);
  CHECK(std::is_sorted(found.begin(), found.end()));
  CHECK(eigen_difference(n, a, v, found) < 20 * double(n));
  CHECK(from_unitary<T>({n, n}, v) < 20 + double(n));
  ColumnArray<T> copy = a;
  std::vector<double> values(static_cast<std::size_t>(n));
  const JacobiOutcome outcome = find_spectrum_by_rotations(n, copy.columns(), v.columns(), values.data(), {});
  CHECK(outcome.converged);
  CHECK(eigen_difference(n, a, v, values) < 20 * double(n));
  for (std::ptrdiff_t i = 0; i < n; ++i) CHECK(std::abs(values[i] - found[i]) < 1e-14 * double(n));
}

/// Vectors of a pencil A * x = w * B * x and of its two other forms, as A and B are put before what is compared.
template <class T>
void check_pencil(std::ptrdiff_t n, PencilForm form) {
  ColumnArray<T> a = hermitian_matrix<T>(n), b = hermitian_matrix<T>(n, double(n));
  ColumnArray<T> l = b, v = a;
  CHECK(factor_cholesky(n, l.columns(), false) == 0);
  reduce_pencil(n, form, v.columns(), reading(l));
  std::vector<double> w(static_cast<std::size_t>(n));
  CHECK(find_spectrum(n, v.columns(), w.data()) == 0);
  restore_vectors(n, form, v.columns(), reading(l));
  ColumnArray<T> scaled = v;
  for (std::ptrdiff_t j = 0; j < n; ++j) {
    for (std::ptrdiff_t i = 0; i < n; ++i) scaled(i, j) *= w[j];
  }
  const auto times = [n](ColumnArray<T>& by, ColumnArray<T> x) {
    return multiplied<T>({n, n}, n, reading(by).view(), reading(x).view());
  };
  if (form == PencilForm::plain) {
    CHECK(difference({n, n}, times(a, v), times(b, scaled)) < 100 * double(n));
  } else {
    ColumnArray<T>& first = form == PencilForm::product ? b : a;
    ColumnArray<T>& second = form == PencilForm::product ? a : b;
    CHECK(difference({n, n}, times(second, times(first, v)), scaled) < 1000 * double(n * n));
  }
}

bool converged(bool found) {
  return found;
}
bool converged(const JacobiOutcome& outcome) {
  return outcome.converged;
}

/// By LAPACK without `limits`, by rotations with them.
template <class T, class... Limits>
void check_singular_values(MatrixSize size, ColumnArray<T> a, std::ptrdiff_t rank, const Limits&... limits) {
  const std::ptrdiff_t n = size.columns;
  ColumnArray<T> u(size.rows, size.rows);
  ColumnArray<T> v(n, n);
  std::vector<double> s(static_cast<std::size_t>(n));
  const auto outcome =
      find_singular_values<T>(size, reading(a), s.data(), {u.columns(), size.rows, v.columns()}, limits...);
  CHECK(converged(outcome));
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
void check_both_ways(MatrixSize size, const ColumnArray<T>& a, std::ptrdiff_t rank) {
  check_singular_values(size, a, rank);
  check_singular_values(size, a, rank, JacobiLimits{});
}

template <class T>
ColumnArray<T> of_rank_one(MatrixSize size) {
  ColumnArray<T> column = random_matrix<T>(size.rows, 1);
  ColumnArray<T> row = random_matrix<T>(1, size.columns);
  return multiplied<T>(size, 1, reading(column).view(), reading(row).view());
}

}  // namespace

TEST_CASE("the factors L and U solve systems, plain, transposed and conjugated") {
  for (const std::ptrdiff_t n : kOrders) {
    check_lu<float>(n);
    check_lu<double>(n);
    check_lu<std::complex<float>>(n);
    check_lu<std::complex<double>>(n);
  }
}

TEST_CASE("L and U name the first pivot that is zero") {
  for (const auto factor : {factor_with_pivots<double>, factor_lu<double>}) {
    ColumnArray<double> a(3, 3);
    std::vector<int> pivots(3);
    CHECK(factor({3, 3}, a.columns(), pivots.data()) == 1);
    for (std::ptrdiff_t i = 0; i < 3; ++i) a(i, i) = i == 1 ? 0 : 2;
    CHECK(factor({3, 3}, a.columns(), pivots.data()) == 2);
    ColumnArray<double> singular = random_matrix<double>(80, 80);
    for (std::ptrdiff_t i = 0; i < 80; ++i) singular(i, 40) = 0;
    pivots.resize(80);
    CHECK(factor({80, 80}, singular.columns(), pivots.data()) == 41);
  }
  ColumnArray<double> without_pivots(2, 2);
  without_pivots(0, 0) = 1;
  CHECK(factor_lu<double>({2, 2}, without_pivots.columns(), nullptr) == 2);
}

TEST_CASE("pivots of a matrix with NaN or an infinity are rows of it") {
  for (const double number : kNotFinite) {
    for (const std::ptrdiff_t n : {1, 4, 80}) {
      ColumnArray<double> a = random_matrix<double>(n, n);
      a(n / 2, n / 3) = number;
      std::vector<int> pivots(static_cast<std::size_t>(n));
      factor_with_pivots({n, n}, a.columns(), pivots.data());
      for (std::ptrdiff_t i = 0; i < n; ++i) CHECK((pivots[i] > i && pivots[i] <= n));
    }
  }
}

TEST_CASE("Cholesky's factor solves systems and gives the inverse") {
  for (const std::ptrdiff_t n : kOrders) {
    for (const bool upper : {false, true}) {
      check_cholesky<float>(n, upper);
      check_cholesky<double>(n, upper);
      check_cholesky<std::complex<float>>(n, upper);
      check_cholesky<std::complex<double>>(n, upper);
    }
  }
}

TEMPLATE_TEST_CASE("Cholesky's factor names the first leading minor that is not positive", "", float, double,
                   std::complex<float>, std::complex<double>) {
  for (const bool upper : {false, true}) {
    for (const std::ptrdiff_t n : {3, 9, 80}) {
      for (const double wrong : {-1.0, 0.0, std::numeric_limits<double>::quiet_NaN()}) {
        ColumnArray<TestType> a = hermitian_matrix<TestType>(n, double(n));
        a(n / 2, n / 2) = TestType(static_cast<Real<TestType>>(wrong));
        CHECK(factor_cholesky(n, a.columns(), upper) == n / 2 + 1);
      }
      ColumnArray<TestType> a = hermitian_matrix<TestType>(n, double(n));
      a(n - 1, 0) = a(0, n - 1) = std::numeric_limits<Real<TestType>>::quiet_NaN();
      CHECK(factor_cholesky(n, a.columns(), upper) == n);
    }
  }
}

TEST_CASE("reflections give a unitary Q and A as Q * R") {
  for (const MatrixSize size : {MatrixSize{1, 1}, {5, 3}, {3, 5}, {4, 4}, {30, 20}}) {
    check_qr<float>(size);
    check_qr<double>(size);
    check_qr<std::complex<float>>(size);
    check_qr<std::complex<double>>(size);
  }
}

TEST_CASE("a triangle's inverse stays within the triangle, and a zero on its diagonal is named") {
  ColumnArray<double> a = random_matrix<double>(5, 5);
  for (std::ptrdiff_t i = 0; i < 5; ++i) a(i, i) = 2;
  ColumnArray<double> inverse = a;
  CHECK(invert_triangle(5, inverse.columns(), {true}) == 0);
  CHECK(inverse(4, 1) == a(4, 1));
  ColumnArray<double> upper(5, 5), upper_inverse(5, 5);
  copy_upper({5, 5}, a, upper);
  copy_upper({5, 5}, inverse, upper_inverse);
  CHECK(difference<double>({5, 5}, multiplied<double>({5, 5}, 5, reading(upper).view(), reading(upper_inverse).view()),
                           identity_matrix<double>({5, 5})) < 10);
  a(3, 3) = 0;
  CHECK(invert_triangle(5, a.columns(), {true}) == 4);
  CHECK(invert_cholesky(5, a.columns(), true) == 4);
}

TEST_CASE("the three forms of pencils of Hermitian matrices") {
  for (const PencilForm form : {PencilForm::plain, PencilForm::product, PencilForm::reversed}) {
    for (const std::ptrdiff_t n : {1, 5, 32}) {
      check_pencil<double>(n, form);
      check_pencil<std::complex<double>>(n, form);
    }
  }
}

TEST_CASE("eigenvalues of Hermitian matrices, by LAPACK and by Jacobi's method") {
  for (const std::ptrdiff_t n : kOrders) {
    check_spectrum(hermitian_matrix<double>(n), n);
    check_spectrum(hermitian_matrix<std::complex<double>>(n), n);
  }
  check_spectrum(ColumnArray<double>(4, 4), 4);
  check_spectrum(identity_matrix<std::complex<double>>({4, 4}), 4);
}

TEST_CASE("Jacobi's method stops after the sweeps that it may take") {
  ColumnArray<double> a = hermitian_matrix<double>(8), v(8, 8);
  std::vector<double> values(8);
  const JacobiOutcome outcome = find_spectrum_by_rotations(8, a.columns(), v.columns(), values.data(), {0, 1, true});
  CHECK(outcome.sweeps == 1);
  CHECK_FALSE(outcome.converged);
}

TEST_CASE("values of a matrix with NaN or an infinity are not found") {
  for (const double number : kNotFinite) {
    for (const std::ptrdiff_t n : {2, 4, 40}) {
      ColumnArray<double> a = hermitian_matrix<double>(n);
      a(0, 0) = number;
      std::vector<double> w(static_cast<std::size_t>(n));
      ColumnArray<double> copy = a, u(n, n), v(n, n);
      CHECK(find_spectrum(n, copy.columns(), w.data()) == n - 1);
      CHECK(std::isnan(w[0]));
      CHECK_FALSE(find_singular_values<double>({n, n}, reading(a), w.data(), {u.columns(), n, v.columns()}));
      CHECK(std::isnan(w[n - 1]));
    }
  }
}

TEST_CASE("singular values and both unitary factors, of any rank") {
  for (const MatrixSize size : {MatrixSize{1, 1}, {4, 4}, {7, 3}, {40, 32}}) {
    check_both_ways(size, random_matrix<double>(size.rows, size.columns), size.columns);
    check_both_ways(size, random_matrix<std::complex<double>>(size.rows, size.columns), size.columns);
    check_both_ways(size, of_rank_one<double>(size), 1);
    check_both_ways(size, of_rank_one<std::complex<double>>(size), 1);
    check_both_ways(size, ColumnArray<double>(size.rows, size.columns), 0);
  }
}
