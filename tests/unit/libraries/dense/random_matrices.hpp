// SPDX-License-Identifier: Apache-2.0
// Random matrices, how far matrices are apart, and what computes for as long as an object lives.
#pragma once

#include <algorithm>
#include <complex>
#include <cstddef>
#include <limits>

#include "dense/blas_library.hpp"
#include "dense/columns.hpp"

namespace warpfiber::dense {

inline double random_number() {
  static unsigned state = 1;
  state = state * 1664525U + 1013904223U;
  return (state >> 8) / double(1 << 24) - 0.5;
}

template <class T>
T random_value() {
  if constexpr (IsComplex<T>::value) {
    const auto real = static_cast<Real<T>>(random_number());
    return {real, static_cast<Real<T>>(random_number())};
  } else {
    return static_cast<T>(random_number());
  }
}

template <class T>
ColumnArray<T> random_matrix(std::ptrdiff_t rows, std::ptrdiff_t columns) {
  ColumnArray<T> a(rows, columns);
  for (std::ptrdiff_t j = 0; j < columns; ++j) {
    for (std::ptrdiff_t i = 0; i < rows; ++i) a(i, j) = random_value<T>();
  }
  return a;
}

template <class T>
ColumnArray<T> hermitian_matrix(std::ptrdiff_t n, double diagonal = 0) {
  ColumnArray<T> a = random_matrix<T>(n, n);
  for (std::ptrdiff_t j = 0; j < n; ++j) {
    for (std::ptrdiff_t i = 0; i < j; ++i) a(j, i) = conjugate(a(i, j));
    a(j, j) = T(real_part(a(j, j)) + static_cast<Real<T>>(diagonal));
  }
  return a;
}

template <class T>
Columns<const T> reading(ColumnArray<T>& a) {
  return {a.columns().at, a.columns().leading};
}

/// The largest difference of an element, in units of the type's precision.
template <class T>
double difference(MatrixSize size, ColumnArray<T> a, ColumnArray<T> b) {
  double worst = 0;
  for (std::ptrdiff_t j = 0; j < size.columns; ++j) {
    for (std::ptrdiff_t i = 0; i < size.rows; ++i) worst = std::max(worst, double(std::abs(a(i, j) - b(i, j))));
  }
  return worst / double(std::numeric_limits<Real<T>>::epsilon());
}

/// `always`: the library, where there is one.
class UsedBlas {
 public:
  explicit UsedBlas(BlasUse use) { use_blas(use); }
  ~UsedBlas() { use_blas(BlasUse::large); }
  UsedBlas(const UsedBlas&) = delete;
  UsedBlas& operator=(const UsedBlas&) = delete;
};

}  // namespace warpfiber::dense
