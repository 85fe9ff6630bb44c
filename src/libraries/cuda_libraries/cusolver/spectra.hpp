// SPDX-License-Identifier: Apache-2.0
// What cuSOLVER's functions of eigenvalues do. They compute in double precision.
#pragma once

#include <complex>
#include <memory>
#include <type_traits>
#include <vector>

#include "cuda_libraries/cusolver/operation.hpp"
#include "dense/lapack.hpp"
#include "dense/products.hpp"

namespace warpfiber::cuda_libraries {

template <class T>
using DoublePrecision = std::conditional_t<dense::IsComplex<T>::value, std::complex<double>, double>;

/// A Hermitian matrix of which one triangle is stored.
template <class T>
struct Hermitian {
  cublasFillMode_t part;
  std::int64_t n;
  Columns<T> a;

  bool upper() const { return is_upper(part); }
  dense::ColumnArray<DoublePrecision<T>> whole() const {
    std::vector<T> all = dense::mirrored<T>(n, a.reading(), {upper(), false}, true);
    dense::ColumnArray<DoublePrecision<T>> wide(n, n);
    dense::copy_columns<T, DoublePrecision<T>>({n, n}, {all.data(), n}, wide.columns());
    return wide;
  }
};

/// Which eigenvalues are asked for; `found` is the program's, and null where all are.
template <class R, class Count>
struct EigenRange {
  cusolverEigRange_t range = CUSOLVER_EIG_RANGE_ALL;
  R above = 0;  // exclusive
  R to = 0;
  std::int64_t first = 1;
  std::int64_t last = 0;
  Count* found = nullptr;

  bool holds(std::int64_t number, double value) const {
    if (range == CUSOLVER_EIG_RANGE_I) return number >= first && number <= last;
    return range == CUSOLVER_EIG_RANGE_ALL || (value > double(above) && value <= double(to));
  }
};

/// `first`: the position of the mode.
template <class T>
void check_hermitian(SolverOperation& operation, cusolverEigMode_t mode, const Hermitian<T>& matrix, int first = 1) {
  operation.choose({"mode", first}, mode, CUSOLVER_EIG_MODE_NOVECTOR, CUSOLVER_EIG_MODE_VECTOR);
  operation.fill_mode(matrix.part, first + 1);
  operation.rows({"n", first + 2}, matrix.n, {"lda", first + 4}, matrix.a.leading);
}

template <class R, class Count>
void check_range(SolverOperation& operation, std::int64_t n, const EigenRange<R, Count>& range) {
  operation.choose({"range"}, range.range, CUSOLVER_EIG_RANGE_ALL, CUSOLVER_EIG_RANGE_V);
  if (range.range == CUSOLVER_EIG_RANGE_I && n > 0) {
    operation.at_least({"il"}, range.first, 1);
    operation.at_least({"iu"}, range.last, range.first);
    operation.at_least({"n"}, n, range.last);
  }
}

template <class T>
void add_hermitian(SolverOperation& operation, cusolverEigMode_t mode, const Hermitian<T>& matrix, Real<T>* values) {
  if (mode == CUSOLVER_EIG_MODE_NOVECTOR) {
    operation.changes_triangle("A", matrix.a, matrix.n, matrix.upper());
  } else {
    operation.reads_triangle("A", matrix.a, matrix.n, matrix.upper());
    operation.writes("A", matrix.a, {matrix.n, matrix.n});
  }
  operation.writes("W", values, matrix.n);
}

/// Writes the values in the range and, if there are, their vectors.
template <class T, class Count>
void put_spectrum(std::int64_t n, const std::vector<double>& values, Columns<DoublePrecision<T>> vectors,
                  bool with_vectors, const EigenRange<Real<T>, Count>& range, Real<T>* w, Columns<T> a) {
  std::int64_t next = 0;
  for (std::int64_t i = 0; i < n; ++i) {
    if (!range.holds(i + 1, values[i])) continue;
    w[next] = static_cast<Real<T>>(values[i]);
    if (with_vectors) {
      dense::copy_columns<DoublePrecision<T>, T>({n, 1}, {vectors.column(i), n}, {a.column(next), a.leading});
    }
    ++next;
  }
  if (range.found != nullptr) *range.found = static_cast<Count>(next);
}

template <class T, class Count = int>
SolverResult syevd(SolverOperation& operation, cusolverEigMode_t mode, const Hermitian<T>& matrix, Real<T>* values,
                   const Workspace<T>& work, int* info, const EigenRange<Real<T>, Count>& range = {}) {
  check_hermitian(operation, mode, matrix);
  check_range(operation, matrix.n, range);
  operation.needs_lapack({{"n", matrix.n}}, dense::kMostValues);
  if (operation.failed()) return operation.refused(info);
  operation.uses(work, workspace_size(matrix.n, matrix.n));
  add_hermitian(operation, mode, matrix, values);
  const bool vectors = mode == CUSOLVER_EIG_MODE_VECTOR;
  const auto compute = [=] {
    dense::ColumnArray<DoublePrecision<T>> whole = matrix.whole();
    std::vector<double> found(static_cast<std::size_t>(matrix.n));
    const std::ptrdiff_t result = dense::find_spectrum(matrix.n, whole.columns(), found.data());
    put_spectrum<T>(matrix.n, found, whole.columns(), vectors, range, values, matrix.a);
    return result;
  };
  using device_memory::Wait;
  return operation.submit(info, compute, range.found != nullptr ? Wait::yes : Wait::no);
}

}  // namespace warpfiber::cuda_libraries
