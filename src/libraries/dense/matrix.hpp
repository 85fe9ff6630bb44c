// SPDX-License-Identifier: Apache-2.0
// Matrices as views of memory: where an element is, and whether its conjugate is meant.
#pragma once

#include <cmath>
#include <complex>
#include <cstddef>
#include <type_traits>

#include "numerics/numbers.hpp"

namespace warpfiber::dense {

using numerics::conjugate;
using numerics::IsComplex;
using numerics::product;
using numerics::real_part;

/// What BLAS compares numbers by: of a complex one |re| + |im|.
template <class T>
auto size_of_number(T value) {
  if constexpr (IsComplex<T>::value) {
    return std::abs(value.real()) + std::abs(value.imag());
  } else {
    return std::abs(value);
  }
}

/// Element (i, j) is `at[i * row_step + j * column_step]`.
template <class T>
struct MatrixView {
  T* at = nullptr;
  std::ptrdiff_t row_step = 1;
  std::ptrdiff_t column_step = 1;
  bool conjugated = false;

  T& place(std::ptrdiff_t i, std::ptrdiff_t j) const { return at[i * row_step + j * column_step]; }
  std::remove_const_t<T> operator()(std::ptrdiff_t i, std::ptrdiff_t j) const {
    using Value = std::remove_const_t<T>;
    return conjugated ? conjugate<Value>(place(i, j)) : Value(place(i, j));
  }
  MatrixView from(std::ptrdiff_t i, std::ptrdiff_t j) const {
    return {&place(i, j), row_step, column_step, conjugated};
  }
  MatrixView transposed() const { return {at, column_step, row_step, conjugated}; }
  MatrixView conjugate_of() const { return {at, row_step, column_step, !conjugated}; }
};

struct MatrixSize {
  std::ptrdiff_t rows;
  std::ptrdiff_t columns;
};

/// Which elements of a square matrix are there.
struct Triangle {
  bool upper = false;
  bool unit = false;  // the diagonal is ones, whatever memory holds

  Triangle transposed() const { return {!upper, unit}; }
};

}  // namespace warpfiber::dense
