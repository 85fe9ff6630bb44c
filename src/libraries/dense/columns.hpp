// SPDX-License-Identifier: Apache-2.0
// Matrices that are stored by columns, and the loops along columns that factorisations are made of.
#pragma once

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstddef>
#include <vector>

#include "dense/matrix.hpp"
#include "dense/norms.hpp"

namespace warpfiber::dense {

/// The type of absolute values of T.
template <class T>
using Real = decltype(std::abs(T{}));

/// Column j begins at `at + j * leading`.
template <class T>
struct Columns {
  T* at = nullptr;
  std::ptrdiff_t leading = 1;

  T& operator()(std::ptrdiff_t i, std::ptrdiff_t j) const { return at[j * leading + i]; }
  T* column(std::ptrdiff_t j) const { return at + j * leading; }
  Columns from(std::ptrdiff_t i, std::ptrdiff_t j) const { return {at + j * leading + i, leading}; }
  MatrixView<T> view() const { return {at, 1, leading}; }
  MatrixView<const T> reading() const { return {at, 1, leading}; }
  MatrixView<const T> adjoint() const { return reading().transposed().conjugate_of(); }
};

/// A matrix that owns its elements, which are zero at first. There is memory for one column more: OpenBLAS 0.3.21 reads
/// the element that would be the next of a row of complex numbers (its issue 4013).
template <class T>
class ColumnArray {
 public:
  ColumnArray(std::ptrdiff_t rows, std::ptrdiff_t columns)
      : leading_(rows), elements_(static_cast<std::size_t>(rows * (columns + 1))) {}

  Columns<T> columns() { return {elements_.data(), leading_}; }
  T& operator()(std::ptrdiff_t i, std::ptrdiff_t j) { return elements_[j * leading_ + i]; }

 private:
  std::ptrdiff_t leading_;
  std::vector<T> elements_;
};

/// op(A) of a system op(A) * X = B.
enum class SystemForm { plain, transposed, adjoint };

/// y += factor * x.
template <class T>
void add_column(std::ptrdiff_t n, T factor, const T* x, T* y) {
  for (std::ptrdiff_t i = 0; i < n; ++i) y[i] += product(factor, x[i]);
}

/// The sum of x[i] * y[i], of conjugates of x.
template <class T>
T inner_product(std::ptrdiff_t n, const T* x, const T* y) {
  T sum{};
  for (std::ptrdiff_t i = 0; i < n; ++i) sum += product(conjugate(x[i]), y[i]);
  return sum;
}

template <class T>
Real<T> column_norm(std::ptrdiff_t n, const T* x) {
  return static_cast<Real<T>>(euclidean_norm(x, n, 1));
}

template <class T>
ColumnArray<T> identity_matrix(MatrixSize size) {
  ColumnArray<T> all(size.rows, size.columns);
  for (std::ptrdiff_t i = 0; i < std::min(size.rows, size.columns); ++i) all(i, i) = T(1);
  return all;
}

template <class From, class To>
void copy_columns(MatrixSize size, Columns<From> from, Columns<To> to) {
  for (std::ptrdiff_t j = 0; j < size.columns; ++j) {
    for (std::ptrdiff_t i = 0; i < size.rows; ++i) to(i, j) = To(from(i, j));
  }
}

}  // namespace warpfiber::dense
