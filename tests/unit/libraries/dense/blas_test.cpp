// SPDX-License-Identifier: Apache-2.0
// The library of BLAS against loops: the same results but for rounding, no threads left; and why there is no LAPACK.
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <complex>
#include <filesystem>
#include <vector>

#include "dense/blas.hpp"
#include "dense/products.hpp"
#include "support/catch.hpp"
#include "unit/libraries/dense/random_matrices.hpp"

using namespace warpfiber::dense;

namespace {

enum class Form { plain, transposed, adjoint, by_conjugates };

constexpr Form kForms[] = {Form::plain, Form::transposed, Form::adjoint, Form::by_conjugates};

/// A matrix in memory that holds more rows than it has, and a view of it in a form.
template <class T>
struct FormedMatrix {
  FormedMatrix(MatrixSize size, Form given)
      : form(given),
        memory(random_matrix<T>(3 + (form == Form::transposed || form == Form::adjoint ? size.columns : size.rows),
                                size.rows + size.columns)) {}

  MatrixView<const T> view() {
    const MatrixView<const T> stored = memory.columns().reading();
    switch (form) {
      case Form::transposed: return stored.transposed();
      case Form::adjoint: return stored.transposed().conjugate_of();
      case Form::by_conjugates: return stored.conjugate_of();
      default: return stored;
    }
  }

  Form form;
  ColumnArray<T> memory;
};

/// What `work` makes of copies of `c`, by loops and by the library, differs by no more than `most` units.
template <class T, class Work>
void check_alike(MatrixSize all, ColumnArray<T> c, double most, Work work) {
  ColumnArray<T> by_loops = c;
  ColumnArray<T> by_library = c;
  {
    const UsedBlas off(BlasUse::off);
    work(by_loops.columns());
  }
  {
    const UsedBlas always(BlasUse::always);
    work(by_library.columns());
  }
  CHECK(difference(all, by_loops, by_library) <= most);
}

template <class T>
void check_products(MatrixSize size, std::ptrdiff_t k) {
  const ColumnArray<T> c = random_matrix<T>(size.rows + 1, size.columns);
  for (const Form of_a : kForms) {
    for (const Form of_b : kForms) {
      FormedMatrix<T> a({size.rows, k}, of_a);
      FormedMatrix<T> b({k, size.columns}, of_b);
      for (const T beta : {T(0), T(2)}) {
        check_alike<T>({size.rows + 1, size.columns}, c, 4 * double(k),
                       [&](Columns<T> to) { multiply<T, T, T>(size, k, T(3), a.view(), b.view(), beta, to.view()); });
      }
    }
  }
}

/// A triangle of products, and a triangular matrix times another one and in a system, from the left and the right.
template <class T>
void check_triangles(std::ptrdiff_t n, std::ptrdiff_t k, Triangle part) {
  const MatrixSize all{n + k, n + k};
  const ColumnArray<T> c = random_matrix<T>(all.rows, all.columns);
  for (const Form form : kForms) {
    FormedMatrix<T> rows({n, k}, form);
    check_alike<T>(all, c, 8 * double(k), [&](Columns<T> to) {
      multiply_triangle<T>(n, k, T(2), rows.view(), rows.view().transposed().conjugate_of(), T(3), to.view(), part,
                           true);
    });
    FormedMatrix<T> a({n, n}, form);
    for (std::ptrdiff_t i = 0; i < n; ++i) a.memory(i, i) = T(static_cast<Real<T>>(n));
    for (const bool by_rows : {false, true}) {
      const auto turned = [by_rows](MatrixView<T> view) { return by_rows ? view.transposed() : view; };
      check_alike<T>(all, c, 8 * double(n * n), [&](Columns<T> to) {
        const MatrixView<T> b = turned(to.view());
        const MatrixView<const T> same{b.at, b.row_step, b.column_step};
        multiply_triangular<T>({n, k}, T(2), a.view(), part, same, b);
      });
      const Triangle of_system{part.upper, false};
      check_alike<T>(all, c, 8 * double(n), [&](Columns<T> to) {
        solve_triangular<T>({n, k}, T(2), a.view(), of_system, turned(to.view()));
      });
    }
  }
}

ColumnArray<double> square_of(std::ptrdiff_t n, ColumnArray<double>& a) {
  ColumnArray<double> c(n, n);
  const MatrixView<const double> factor = a.columns().reading();
  multiply<double, double, double>({n, n}, n, 1.0, factor, factor, 0.0, c.columns().view());
  return c;
}

std::ptrdiff_t threads_of_process() {
  const std::filesystem::directory_iterator threads("/proc/self/task");
  return std::distance(begin(threads), end(threads));
}

}  // namespace

TEMPLATE_TEST_CASE("the library multiplies matrices of every form as loops do", "", float, double, std::complex<float>,
                   std::complex<double>) {
  check_products<TestType>({1, 1}, 1);
  check_products<TestType>({7, 5}, 3);
  check_products<TestType>({70, 41}, 33);
}

TEMPLATE_TEST_CASE("the library computes with triangles as loops do", "", float, double, std::complex<float>,
                   std::complex<double>) {
  const Triangle part{GENERATE(false, true), GENERATE(false, true)};
  check_triangles<TestType>(5, 3, part);
  check_triangles<TestType>(70, 20, part);
}

TEST_CASE("small products are computed by loops, large ones by the library") {
  for (const std::ptrdiff_t n : {20, 100}) {
    ColumnArray<double> a = random_matrix<double>(n, n);
    const ColumnArray<double> by_default = square_of(n, a);
    const UsedBlas by(n < 64 ? BlasUse::off : BlasUse::always);
    CHECK(difference({n, n}, by_default, square_of(n, a)) == 0);
  }
}

TEST_CASE("what has more columns than the library's sizes hold is computed by loops") {
  const UsedBlas always(BlasUse::always);
  constexpr std::ptrdiff_t kWhole = (std::ptrdiff_t{1} << 32) + 4;  // 4 in 32 bits
  float numbers[16] = {};
  const MatrixView<float> matrix{numbers, 1, 4};
  const MatrixView<const float> reading{numbers, 1, 4};
  CHECK_FALSE(multiply_by_blas<float>({4, kWhole}, 4, 1, reading, reading, 0, matrix));
  CHECK_FALSE(fits_blas<float>({4, kWhole}, 1, reading, matrix));
}

TEST_CASE("the library leaves no threads, and a process that has used it forks") {
  const std::ptrdiff_t before = threads_of_process();
  ColumnArray<double> a = random_matrix<double>(100, 100);
  const UsedBlas always(BlasUse::always);
  square_of(100, a);
  CHECK(threads_of_process() == before);
  const pid_t child = fork();
  if (child == 0) {
    square_of(100, a);
    _exit(0);
  }
  square_of(100, a);
  int status = -1;
  CHECK(waitpid(child, &status, 0) == child);
  CHECK(status == 0);
}

TEST_CASE("a library without LAPACK says what is missing") {
  CHECK(BlasLibrary("").missing_lapack == MissingLapack::name);
  CHECK(BlasLibrary("libno_such_lapack.so.0").missing_lapack == MissingLapack::file);
  CHECK(BlasLibrary("libm.so.6").missing_lapack == MissingLapack::functions);
  const pid_t child = fork();
  if (child == 0) {
    const rlimit little{std::size_t{512} << 20, RLIM_INFINITY};
    setrlimit(RLIMIT_AS, &little);
    _exit(BlasLibrary("libm.so.6").missing_lapack == MissingLapack::address_space ? 0 : 1);
  }
  int status = -1;
  CHECK(waitpid(child, &status, 0) == child);
  CHECK(status == 0);
}
