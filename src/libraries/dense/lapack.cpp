// SPDX-License-Identifier: Apache-2.0
//
// Memory that LAPACK asks for is allocated for each call.
#include "dense/lapack.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "base/contract.hpp"

namespace warpfiber::dense {
namespace {

/// As Fortran takes it.
int integer(std::ptrdiff_t size) {
  return static_cast<int>(size);
}

/// That of a matrix without rows is 1.
template <class T>
int leading_of(Columns<T> a) {
  return integer(std::max<std::ptrdiff_t>(1, a.leading));
}

/// The functions for one operation.
template <class T>
BlasCall<T> lapack() {
  WARPFIBER_CONTRACT(missing_lapack() == MissingLapack::nothing, "a caller asks whether LAPACK is there");
  return BlasCall<T>(&blas_library());
}

const char* triangle_name(bool upper) {
  return upper ? "U" : "L";
}

template <class T>
const char* adjoint_name() {
  return IsComplex<T>::value ? "C" : "T";
}

template <class T>
bool is_finite(T number) {
  if constexpr (IsComplex<T>::value) {
    return std::isfinite(number.real()) && std::isfinite(number.imag());
  } else {
    return std::isfinite(number);
  }
}

template <class T>
bool all_finite(MatrixSize size, Columns<T> a) {
  for (std::ptrdiff_t j = 0; j < size.columns; ++j) {
    if (!std::all_of(a.column(j), a.column(j) + size.rows, [](T number) { return is_finite(number); })) return false;
  }
  return true;
}

template <class T>
void fill(MatrixSize size, Columns<T> a, T number) {
  for (std::ptrdiff_t j = 0; j < size.columns; ++j) std::fill_n(a.column(j), size.rows, number);
}

template <class T>
void copy_triangle(std::ptrdiff_t n, Columns<T> from, Columns<T> to, bool upper) {
  for (std::ptrdiff_t j = 0; j < n; ++j) {
    const std::ptrdiff_t first = upper ? 0 : j;
    std::copy(from.column(j) + first, from.column(j) + (upper ? j + 1 : n), to.column(j) + first);
  }
}

/// Calls `compute(work, length)` with a length of -1, which asks for the best one, and then with memory of that length.
template <class T, class Compute>
void with_memory(Compute compute) {
  T best{};
  compute(&best, -1);
  const int length = std::max(1, static_cast<int>(real_part(best)));
  std::vector<T> work(static_cast<std::size_t>(length));
  compute(work.data(), length);
}

int find_values(const BlasCall<double>& call, int n, double* a, int leading, double* values) {
  int info = 0;
  int integers = 0;
  const int query = -1;
  double best = 0;
  call->syevd("V", "L", &n, a, &leading, values, &best, &query, &integers, &query, &info, 1, 1);
  const int length = static_cast<int>(best);
  std::vector<double> work(static_cast<std::size_t>(length));
  std::vector<int> more(static_cast<std::size_t>(integers));
  call->syevd("V", "L", &n, a, &leading, values, work.data(), &length, more.data(), &integers, &info, 1, 1);
  return info;
}

int find_values(const BlasCall<std::complex<double>>& call, int n, std::complex<double>* a, int leading,
                double* values) {
  int info = 0;
  int integers = 0;
  const int query = -1;
  double reals = 0;
  std::complex<double> best = 0;
  call->syevd("V", "L", &n, a, &leading, values, &best, &query, &reals, &query, &integers, &query, &info, 1, 1);
  const int length = static_cast<int>(best.real());
  const int of_reals = static_cast<int>(reals);
  std::vector<std::complex<double>> work(static_cast<std::size_t>(length));
  std::vector<double> real_work(static_cast<std::size_t>(of_reals));
  std::vector<int> more(static_cast<std::size_t>(integers));
  call->syevd("V", "L", &n, a, &leading, values, work.data(), &length, real_work.data(), &of_reals, more.data(),
              &integers, &info, 1, 1);
  return info;
}

/// A = U * diag(values) * VH. A is overwritten.
template <class T>
struct SingularFactors {
  MatrixSize size;
  Columns<T> a;
  double* values;
  Columns<T> u;
  bool all_of_u;
  Columns<T> vh;
};

template <class T>
int find_values(const BlasCall<T>& call, const SingularFactors<T>& of) {
  const char* const job = of.all_of_u ? "A" : "S";
  const int rows = integer(of.size.rows);
  const int columns = integer(of.size.columns);
  const int lda = leading_of(of.a);
  const int ldu = leading_of(of.u);
  const int ldv = leading_of(of.vh);
  const std::ptrdiff_t n = of.size.columns;
  std::vector<int> integers(static_cast<std::size_t>(8 * n));
  const std::ptrdiff_t reals = n * std::max(5 * n + 7, 2 * of.size.rows + 2 * n + 1);
  std::vector<double> real_work(IsComplex<T>::value ? static_cast<std::size_t>(reals) : 0);
  int info = 0;
  with_memory<T>([&](T* work, int length) {
    if constexpr (IsComplex<T>::value) {
      call->gesdd(job, &rows, &columns, of.a.at, &lda, of.values, of.u.at, &ldu, of.vh.at, &ldv, work, &length,
                  real_work.data(), integers.data(), &info, 1);
    } else {
      call->gesdd(job, &rows, &columns, of.a.at, &lda, of.values, of.u.at, &ldu, of.vh.at, &ldv, work, &length,
                  integers.data(), &info, 1);
    }
  });
  return info;
}

}  // namespace

MissingLapack missing_lapack() {
  return blas_library().missing_lapack;
}

template <class T>
std::ptrdiff_t factor_with_pivots(MatrixSize size, Columns<T> a, int* pivots) {
  const int m = integer(size.rows);
  const int n = integer(size.columns);
  const int leading = leading_of(a);
  int info = 0;
  lapack<T>()->getrf(&m, &n, a.at, &leading, pivots, &info);
  return info;
}

template <class T>
void solve_with_pivots(MatrixSize size, Columns<const T> lu, SystemForm form, const int* pivots, Columns<T> b) {
  const char* const name = form == SystemForm::plain ? "N" : form == SystemForm::transposed ? "T" : adjoint_name<T>();
  const int m = integer(size.rows);
  const int n = integer(size.columns);
  const int lda = leading_of(lu);
  const int ldb = leading_of(b);
  int info = 0;
  lapack<T>()->getrs(name, &m, &n, lu.at, &lda, pivots, b.at, &ldb, &info, 1);
}

template <class T>
std::ptrdiff_t factor_cholesky(std::ptrdiff_t n, Columns<T> a, bool upper) {
  const int order = integer(n);
  const int leading = leading_of(a);
  int info = 0;
  lapack<T>()->potrf(triangle_name(upper), &order, a.at, &leading, &info, 1);
  if (info != 0) return info;
  // LAPACK's definition counts a NaN as not positive, which OpenBLAS lets pass.
  for (std::ptrdiff_t j = 0; j < n; ++j) {
    if (std::isnan(real_part(a(j, j)))) return j + 1;
  }
  return 0;
}

template <class T>
void solve_cholesky(MatrixSize size, Columns<const T> a, bool upper, Columns<T> b) {
  const int m = integer(size.rows);
  const int n = integer(size.columns);
  const int lda = leading_of(a);
  const int ldb = leading_of(b);
  int info = 0;
  lapack<T>()->potrs(triangle_name(upper), &m, &n, a.at, &lda, b.at, &ldb, &info, 1);
}

template <class T>
std::ptrdiff_t invert_cholesky(std::ptrdiff_t n, Columns<T> a, bool upper) {
  // Behind the program's matrix there may be no memory that OpenBLAS reads (columns.hpp).
  ColumnArray<T> own(n, n);
  copy_triangle(n, a, own.columns(), upper);
  const int order = integer(n);
  const int leading = leading_of(own.columns());
  int info = 0;
  lapack<T>()->potri(triangle_name(upper), &order, own.columns().at, &leading, &info, 1);
  copy_triangle(n, own.columns(), a, upper);
  return info;
}

template <class T>
std::ptrdiff_t invert_triangle(std::ptrdiff_t n, Columns<T> a, Triangle part) {
  const int order = integer(n);
  const int leading = leading_of(a);
  int info = 0;
  lapack<T>()->trtri(triangle_name(part.upper), part.unit ? "U" : "N", &order, a.at, &leading, &info, 1, 1);
  return info;
}

template <class T>
void factor_qr(MatrixSize size, Columns<T> a, T* tau) {
  const int m = integer(size.rows);
  const int n = integer(size.columns);
  const int leading = leading_of(a);
  const BlasCall<T> call = lapack<T>();
  with_memory<T>([&](T* work, int length) {
    int info = 0;
    call->geqrf(&m, &n, a.at, &leading, tau, work, &length, &info);
  });
}

template <class T>
void multiply_by_q(const Reflections<T>& q, bool from_left, bool adjoint, MatrixSize size, Columns<T> c) {
  const int m = integer(size.rows);
  const int n = integer(size.columns);
  const int count = integer(q.count);
  const std::ptrdiff_t order = from_left ? size.rows : size.columns;
  ColumnArray<T> v(order, q.count);  // LAPACK writes ones on the diagonal meanwhile
  copy_columns<const T, T>({order, q.count}, q.v, v.columns());
  const int ldv = leading_of(v.columns());
  const int ldc = leading_of(c);
  const BlasCall<T> call = lapack<T>();
  with_memory<T>([&](T* work, int length) {
    int info = 0;
    call->ormqr(from_left ? "L" : "R", adjoint ? adjoint_name<T>() : "N", &m, &n, &count, v.columns().at, &ldv, q.tau,
                c.at, &ldc, work, &length, &info, 1, 1);
  });
}

template <class T>
void make_q(MatrixSize size, std::ptrdiff_t count, Columns<T> a, const T* tau) {
  const int m = integer(size.rows);
  const int n = integer(size.columns);
  const int reflections = integer(count);
  const int leading = leading_of(a);
  const BlasCall<T> call = lapack<T>();
  with_memory<T>([&](T* work, int length) {
    int info = 0;
    call->orgqr(&m, &n, &reflections, a.at, &leading, tau, work, &length, &info);
  });
}

template <class T>
std::ptrdiff_t find_spectrum(std::ptrdiff_t n, Columns<T> a, double* values) {
  if (n == 0) return 0;
  if (!all_finite({n, n}, a)) {
    constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();
    std::fill_n(values, n, kNothing);
    fill({n, n}, a, T(kNothing));
    return n - 1;
  }
  return find_values(lapack<T>(), integer(n), a.at, leading_of(a), values);
}

template <class T>
void reduce_pencil(std::ptrdiff_t n, PencilForm form, Columns<T> a, Columns<const T> l) {
  const int type = static_cast<int>(form);
  const int order = integer(n);
  const int lda = leading_of(a);
  const int ldb = leading_of(l);
  int info = 0;
  lapack<T>()->sygst(&type, "L", &order, a.at, &lda, l.at, &ldb, &info, 1);
  for (std::ptrdiff_t j = 0; j < n; ++j) {
    for (std::ptrdiff_t i = j + 1; i < n; ++i) a(j, i) = conjugate(a(i, j));
  }
}

template <class T>
void restore_vectors(std::ptrdiff_t n, PencilForm form, Columns<T> v, Columns<const T> l) {
  const int order = integer(n);
  const int ldl = leading_of(l);
  const int ldv = leading_of(v);
  const T one = T(1);
  const BlasCall<T> call = lapack<T>();
  if (form == PencilForm::reversed) {
    call->trmm("L", "L", "N", "N", &order, &order, &one, l.at, &ldl, v.at, &ldv);
  } else {
    call->trsm("L", "L", adjoint_name<T>(), "N", &order, &order, &one, l.at, &ldl, v.at, &ldv);
  }
}

template <class T>
bool find_singular_values(MatrixSize size, Columns<const T> a, double* values, const SingularVectors<T>& vectors) {
  const std::ptrdiff_t n = size.columns;
  const MatrixSize of_u{size.rows, vectors.columns_of_u};
  if (n == 0) {
    copy_columns<T, T>(of_u, identity_matrix<T>(of_u).columns(), vectors.u);
    return true;
  }
  if (!all_finite(size, a)) {
    constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();
    std::fill_n(values, n, kNothing);
    fill(of_u, vectors.u, T(kNothing));
    fill({n, n}, vectors.v, T(kNothing));
    return false;
  }
  ColumnArray<T> copy(size.rows, n);
  copy_columns<const T, T>(size, a, copy.columns());
  ColumnArray<T> vh(n, n);
  const bool found =
      find_values<T>(lapack<T>(), {size, copy.columns(), values, vectors.u, of_u.columns > n, vh.columns()}) == 0;
  for (std::ptrdiff_t j = 0; j < n; ++j) {
    for (std::ptrdiff_t i = 0; i < n; ++i) vectors.v(i, j) = conjugate(vh(j, i));
  }
  return found;
}

#define WARPFIBER_BY_LAPACK(T)                                                                       \
  template std::ptrdiff_t factor_with_pivots(MatrixSize, Columns<T>, int*);                          \
  template void solve_with_pivots(MatrixSize, Columns<const T>, SystemForm, const int*, Columns<T>); \
  template std::ptrdiff_t factor_cholesky(std::ptrdiff_t, Columns<T>, bool);                         \
  template void solve_cholesky(MatrixSize, Columns<const T>, bool, Columns<T>);                      \
  template std::ptrdiff_t invert_cholesky(std::ptrdiff_t, Columns<T>, bool);                         \
  template std::ptrdiff_t invert_triangle(std::ptrdiff_t, Columns<T>, Triangle);                     \
  template void factor_qr(MatrixSize, Columns<T>, T*);                                               \
  template void multiply_by_q(const Reflections<T>&, bool, bool, MatrixSize, Columns<T>);            \
  template void make_q(MatrixSize, std::ptrdiff_t, Columns<T>, const T*);

WARPFIBER_BY_LAPACK(float)
WARPFIBER_BY_LAPACK(double)
WARPFIBER_BY_LAPACK(std::complex<float>)
WARPFIBER_BY_LAPACK(std::complex<double>)

#define WARPFIBER_VALUES_BY_LAPACK(T)                                                      \
  template std::ptrdiff_t find_spectrum(std::ptrdiff_t, Columns<T>, double*);              \
  template void reduce_pencil(std::ptrdiff_t, PencilForm, Columns<T>, Columns<const T>);   \
  template void restore_vectors(std::ptrdiff_t, PencilForm, Columns<T>, Columns<const T>); \
  template bool find_singular_values(MatrixSize, Columns<const T>, double*, const SingularVectors<T>&);

WARPFIBER_VALUES_BY_LAPACK(double)
WARPFIBER_VALUES_BY_LAPACK(std::complex<double>)

}  // namespace warpfiber::dense
