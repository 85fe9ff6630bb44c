// SPDX-License-Identifier: Apache-2.0
//
// A matrix that holds an infinity or a NaN is left to loops: what LAPACK makes of it differs from library to library.
#include "dense/lapack.hpp"

#include <algorithm>
#include <cmath>

#include "dense/blas_library.hpp"

namespace warpfiber::dense {
namespace {

/// As multiplications(), of a matrix whose columns lie `leading` apart: 0 too where that has more than 32 bits.
double multiplications_of_factor(MatrixSize size, std::ptrdiff_t leading) {
  return leading == static_cast<int>(leading) ? multiplications(size, std::min(size.rows, size.columns)) : 0;
}

template <class T>
bool is_finite(T number) {
  if constexpr (IsComplex<T>::value) {
    return std::isfinite(number.real()) && std::isfinite(number.imag());
  } else {
    return std::isfinite(number);
  }
}

/// Elements of a matrix as they were. Only those of the triangle `part` are there, if one is given.
template <class T>
class KeptElements {
 public:
  KeptElements(MatrixSize size, Columns<T> a, const Triangle* part) : size_(size), a_(a), part_(part) {
    visit([this](T& element) {
      elements_.push_back(element);
      all_finite_ = all_finite_ && is_finite(element);
    });
  }

  bool all_finite() const { return all_finite_; }
  void restore() {
    auto kept = elements_.begin();
    visit([&kept](T& element) { element = *kept++; });
  }

 private:
  template <class Visit>
  void visit(Visit visit_element) {
    for (std::ptrdiff_t j = 0; j < size_.columns; ++j) {
      const std::ptrdiff_t first = part_ != nullptr && !part_->upper ? j : 0;
      const std::ptrdiff_t end = part_ != nullptr && part_->upper ? j + 1 : size_.rows;
      for (std::ptrdiff_t i = first; i < end; ++i) visit_element(a_(i, j));
    }
  }

  MatrixSize size_;
  Columns<T> a_;
  const Triangle* part_;
  bool all_finite_ = true;
  std::vector<T> elements_{};
};

/// Calls `factor`, which returns LAPACK's info. What fails leaves the matrix as it was.
template <class T, class Factor>
bool try_on(MatrixSize size, Columns<T> a, const Triangle* part, Factor factor) {
  KeptElements<T> kept(size, a, part);
  if (!kept.all_finite()) return false;
  if (factor() == 0) return true;
  kept.restore();
  return false;
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
  const int m = static_cast<int>(of.size.rows);
  const int n = static_cast<int>(of.size.columns);
  const int lda = static_cast<int>(of.a.leading);
  const int ldu = static_cast<int>(of.u.leading);
  const int ldv = static_cast<int>(of.vh.leading);
  std::vector<int> integers(static_cast<std::size_t>(8 * of.size.columns));
  const std::ptrdiff_t least = std::min(of.size.rows, of.size.columns);
  const std::ptrdiff_t reals =
      least * std::max(5 * least + 7, 2 * std::max(of.size.rows, of.size.columns) + 2 * least + 1);
  std::vector<double> real_work(IsComplex<T>::value ? static_cast<std::size_t>(reals) : 0);
  int info = 0;
  with_memory<T>([&](T* work, int length) {
    if constexpr (IsComplex<T>::value) {
      call->gesdd(job, &m, &n, of.a.at, &lda, of.values, of.u.at, &ldu, of.vh.at, &ldv, work, &length, real_work.data(),
                  integers.data(), &info, 1);
    } else {
      call->gesdd(job, &m, &n, of.a.at, &lda, of.values, of.u.at, &ldu, of.vh.at, &ldv, work, &length, integers.data(),
                  &info, 1);
    }
  });
  return info;
}

}  // namespace

template <class T>
bool factor_lu_by_lapack(MatrixSize size, Columns<T> a, int* pivots) {
  const BlasCall<T> call(multiplications_of_factor(size, a.leading));
  if (!call || call->getrf == nullptr) return false;
  return try_on(size, a, nullptr, [&] {
    const int m = static_cast<int>(size.rows);
    const int n = static_cast<int>(size.columns);
    const int leading = static_cast<int>(a.leading);
    int info = 0;
    call->getrf(&m, &n, a.at, &leading, pivots, &info);
    return info;
  });
}

template <class T>
bool factor_cholesky_by_lapack(std::ptrdiff_t n, Columns<T> a, bool upper) {
  const BlasCall<T> call(multiplications_of_factor({n, n}, a.leading));
  if (!call || call->potrf == nullptr) return false;
  const Triangle part{upper};
  return try_on({n, n}, a, &part, [&] {
    const int order = static_cast<int>(n);
    const int leading = static_cast<int>(a.leading);
    int info = 0;
    call->potrf(upper ? "U" : "L", &order, a.at, &leading, &info, 1);
    return info;
  });
}

template <class T>
bool factor_qr_by_lapack(MatrixSize size, Columns<T> a, T* tau) {
  const BlasCall<T> call(multiplications_of_factor(size, a.leading));
  if (!call || call->geqrf == nullptr) return false;
  return try_on(size, a, nullptr, [&] {
    const int m = static_cast<int>(size.rows);
    const int n = static_cast<int>(size.columns);
    const int leading = static_cast<int>(a.leading);
    int info = 0;
    with_memory<T>([&](T* work, int length) { call->geqrf(&m, &n, a.at, &leading, tau, work, &length, &info); });
    return info;
  });
}

template <class T>
bool multiply_by_q_by_lapack(Columns<const T> v, const T* tau, std::ptrdiff_t reflections, bool from_left, bool adjoint,
                             MatrixSize size, Columns<T> c) {
  const BlasCall<T> call(c.leading == static_cast<int>(c.leading) ? multiplications(size, reflections) : 0);
  if (!call || call->ormqr == nullptr) return false;
  const char* const form = !adjoint ? "N" : IsComplex<T>::value ? "C" : "T";
  const int m = static_cast<int>(size.rows);
  const int n = static_cast<int>(size.columns);
  const int k = static_cast<int>(reflections);
  const std::ptrdiff_t order = from_left ? size.rows : size.columns;
  ColumnArray<T> copy(order, reflections);  // LAPACK writes ones on the diagonal meanwhile
  copy_columns<const T, T>({order, reflections}, v, copy.columns());
  const int ldv = static_cast<int>(order);
  const int ldc = static_cast<int>(c.leading);
  with_memory<T>([&](T* work, int length) {
    int info = 0;
    call->ormqr(from_left ? "L" : "R", form, &m, &n, &k, copy.columns().at, &ldv, tau, c.at, &ldc, work, &length, &info,
                1, 1);
  });
  return true;
}

template <class T>
bool find_spectrum_by_lapack(std::ptrdiff_t n, Columns<T> a, double* values) {
  const BlasCall<T> call(multiplications_of_factor({n, n}, a.leading));
  if (!call || call->syevd == nullptr) return false;
  return try_on({n, n}, a, nullptr,
                [&] { return find_values(call, static_cast<int>(n), a.at, static_cast<int>(a.leading), values); });
}

template <class T>
bool find_singular_values_by_lapack(MatrixSize size, Columns<const T> a, double* values, Columns<T> u,
                                    std::ptrdiff_t columns_of_u, Columns<T> v) {
  const BlasCall<T> call(multiplications_of_factor(size, a.leading));
  if (!call || call->gesdd == nullptr) return false;
  const std::ptrdiff_t n = size.columns;
  ColumnArray<T> copy(size.rows, n);
  copy_columns<const T, T>(size, a, copy.columns());
  ColumnArray<T> vh(n, n);
  const bool found = try_on(size, copy.columns(), nullptr, [&] {
    return find_values<T>(call, {size, copy.columns(), values, u, columns_of_u > n, vh.columns()});
  });
  for (std::ptrdiff_t j = 0; found && j < n; ++j) {
    for (std::ptrdiff_t i = 0; i < n; ++i) v(i, j) = conjugate(vh(j, i));
  }
  return found;
}

#define WARPFIBER_BY_LAPACK(T)                                               \
  template bool factor_lu_by_lapack(MatrixSize, Columns<T>, int*);           \
  template bool factor_cholesky_by_lapack(std::ptrdiff_t, Columns<T>, bool); \
  template bool factor_qr_by_lapack(MatrixSize, Columns<T>, T*);             \
  template bool multiply_by_q_by_lapack(Columns<const T>, const T*, std::ptrdiff_t, bool, bool, MatrixSize, Columns<T>);

WARPFIBER_BY_LAPACK(float)
WARPFIBER_BY_LAPACK(double)
WARPFIBER_BY_LAPACK(std::complex<float>)
WARPFIBER_BY_LAPACK(std::complex<double>)

#define WARPFIBER_VALUES_BY_LAPACK(T)                                                                             \
  template bool find_spectrum_by_lapack(std::ptrdiff_t, Columns<T>, double*);                                     \
  template bool find_singular_values_by_lapack(MatrixSize, Columns<const T>, double*, Columns<T>, std::ptrdiff_t, \
                                               Columns<T>);

WARPFIBER_VALUES_BY_LAPACK(double)
WARPFIBER_VALUES_BY_LAPACK(std::complex<double>)

}  // namespace warpfiber::dense
