// SPDX-License-Identifier: Apache-2.0
// Matrices of which memory holds a part: a band, a triangle, a triangle without gaps. Vectors times them, systems of
// them, and what is added to them. A sum is added in the order of its terms.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "dense/matrix.hpp"

namespace warpfiber::dense {

enum class Storage { full, band, packed };

/// Where elements lie. `below` and `above` the diagonal there are so many.
struct StoredPart {
  Storage storage = Storage::full;
  std::ptrdiff_t rows = 0;
  std::ptrdiff_t columns = 0;
  std::ptrdiff_t below = 0;
  std::ptrdiff_t above = 0;
  std::ptrdiff_t leading = 0;  // not of packed ones

  std::ptrdiff_t offset(std::ptrdiff_t i, std::ptrdiff_t j) const {
    switch (storage) {
      case Storage::band: return j * leading + above + i - j;
      case Storage::packed: return above != 0 ? i + j * (j + 1) / 2 : i + j * (2 * rows - j - 1) / 2;
      default: return j * leading + i;
    }
  }
  /// The rows of a column that are there.
  std::ptrdiff_t first_row(std::ptrdiff_t j) const { return std::max<std::ptrdiff_t>(0, j - above); }
  std::ptrdiff_t end_row(std::ptrdiff_t j) const { return std::min(rows, j + below + 1); }
};

/// The triangle of a square matrix, all of it or `diagonals` next to the diagonal.
inline StoredPart triangle_of(Storage storage, std::ptrdiff_t n, std::ptrdiff_t diagonals, std::ptrdiff_t leading,
                              bool upper) {
  return {storage, n, n, upper ? 0 : diagonals, upper ? diagonals : 0, leading};
}

enum class Mirror { none, symmetric, hermitian };

/// What a stored part stands for.
template <class T>
struct StructuredMatrix {
  const T* at;
  StoredPart part;
  Mirror mirror = Mirror::none;
  bool unit = false;
  bool transposed = false;
  bool conjugated = false;

  std::ptrdiff_t rows() const { return transposed ? part.columns : part.rows; }
  std::ptrdiff_t columns() const { return transposed ? part.rows : part.columns; }
  std::ptrdiff_t below() const { return reach(part.below, part.above); }
  std::ptrdiff_t above() const { return reach(part.above, part.below); }
  std::ptrdiff_t first_column(std::ptrdiff_t i) const { return std::max<std::ptrdiff_t>(0, i - below()); }
  std::ptrdiff_t end_column(std::ptrdiff_t i) const { return std::min(columns(), i + above() + 1); }

  T operator()(std::ptrdiff_t i, std::ptrdiff_t j) const {
    if (unit && i == j) return T(1);
    if (transposed) std::swap(i, j);
    const T value = stored(i, j);
    return conjugated ? conjugate(value) : value;
  }

 private:
  std::ptrdiff_t reach(std::ptrdiff_t one, std::ptrdiff_t other) const {
    if (mirror != Mirror::none) return std::max(one, other);
    return transposed ? other : one;
  }
  T stored(std::ptrdiff_t i, std::ptrdiff_t j) const {
    if (mirror == Mirror::none) return at[part.offset(i, j)];
    const bool there = part.above != 0 ? i <= j : i >= j;
    const T value = at[there ? part.offset(i, j) : part.offset(j, i)];
    if (mirror != Mirror::hermitian) return value;
    if constexpr (IsComplex<T>::value) {
      if (i == j) return value.real();
    }
    return there ? value : conjugate(value);
  }
};

/// y = alpha * A * x + beta * y.
template <class T>
void multiply_structured(T alpha, const StructuredMatrix<T>& a, MatrixView<const T> x, T beta, MatrixView<T> y) {
  for (std::ptrdiff_t i = 0; i < a.rows(); ++i) {
    T sum{};
    if (alpha != T{}) {
      for (std::ptrdiff_t j = a.first_column(i); j < a.end_column(i); ++j) sum += product(a(i, j), x(j, 0));
    }
    T& to = y.place(i, 0);
    to = beta == T{} ? product(alpha, sum) : product(alpha, sum) + product(beta, to);
  }
}

/// x = A * x of a triangular A.
template <class T>
void multiply_triangle_by(const StructuredMatrix<T>& a, MatrixView<T> x) {
  std::vector<T> before(static_cast<std::size_t>(a.rows()));
  for (std::ptrdiff_t i = 0; i < a.rows(); ++i) before[i] = x(i, 0);
  multiply_structured<T>(T(1), a, {before.data(), 1, a.rows()}, T{}, x);
}

/// x = inverse of A * x of a triangular A.
template <class T>
void solve_triangle(const StructuredMatrix<T>& a, MatrixView<T> x) {
  const std::ptrdiff_t n = a.rows();
  const bool upper = a.below() == 0;
  for (std::ptrdiff_t step = 0; step < n; ++step) {
    const std::ptrdiff_t i = upper ? n - 1 - step : step;
    T sum = x(i, 0);
    for (std::ptrdiff_t j = a.first_column(i); j < a.end_column(i); ++j) {
      if (j != i) sum -= product(a(i, j), x(j, 0));
    }
    x.place(i, 0) = sum / a(i, i);
  }
}

/// A = alpha * x * y' + other * y * x' + A of a triangle; without an `other` y is x. y' of a hermitian A is conjugated,
/// and its diagonal real.
template <class T>
void add_products(T alpha, T other, bool two, MatrixView<const T> x, MatrixView<const T> y, T* at,
                  const StoredPart& part, bool hermitian) {
  const auto of = [hermitian](T value) { return hermitian ? conjugate(value) : value; };
  for (std::ptrdiff_t j = 0; j < part.columns; ++j) {
    for (std::ptrdiff_t i = part.first_row(j); i < part.end_row(j); ++i) {
      T& to = at[part.offset(i, j)];
      to += product(alpha, product(x(i, 0), of(y(j, 0))));
      if (two) to += product(other, product(y(i, 0), of(x(j, 0))));
      if constexpr (IsComplex<T>::value) {
        if (hermitian && i == j) to = to.real();
      }
    }
  }
}

}  // namespace warpfiber::dense
