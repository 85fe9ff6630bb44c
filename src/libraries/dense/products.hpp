// SPDX-License-Identifier: Apache-2.0
// Products of matrices, solutions of triangular systems: large ones by a library of BLAS where there is one, others by
// loops that add a sum in the order of its terms, in `Sum`. Where a factor is zero the matrix that it scales is not
// read, as in BLAS.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

#include "dense/blas.hpp"
#include "dense/matrix.hpp"

namespace warpfiber::dense {

/// C = alpha * sum + beta * C, of one element.
template <class Sum, class Out>
void update(Out& to, Sum alpha, Sum sum, Sum beta) {
  const Sum scaled = product(alpha, sum);
  to = beta == Sum{} ? Out(scaled) : Out(scaled + product(beta, Sum(to)));
}

/// C = alpha * A * B + beta * C, where A is m by k and B k by n, by loops. Rows of A are taken in bands that stay in
/// the cache.
template <class Sum, class In, class Out>
void multiply_in_order(MatrixSize size, std::ptrdiff_t k, Sum alpha, MatrixView<const In> a, MatrixView<const In> b,
                       Sum beta, MatrixView<Out> c) {
  constexpr std::ptrdiff_t kBand = 64;
  const std::ptrdiff_t terms = alpha == Sum{} ? 0 : k;
  std::vector<Sum> band(static_cast<std::size_t>(terms * kBand));
  for (std::ptrdiff_t first = 0; first < size.rows; first += kBand) {
    const std::ptrdiff_t rows = std::min(kBand, size.rows - first);
    for (std::ptrdiff_t p = 0; p < terms; ++p) {
      for (std::ptrdiff_t i = 0; i < rows; ++i) band[p * kBand + i] = Sum(a(first + i, p));
    }
    for (std::ptrdiff_t j = 0; j < size.columns; ++j) {
      std::array<Sum, kBand> sums{};
      for (std::ptrdiff_t p = 0; p < terms; ++p) {
        const Sum factor = Sum(b(p, j));
        const Sum* const column = &band[p * kBand];
        for (std::ptrdiff_t i = 0; i < kBand; ++i) sums[i] += product(column[i], factor);
      }
      for (std::ptrdiff_t i = 0; i < rows; ++i) update(c.place(first + i, j), alpha, sums[i], beta);
    }
  }
}

/// The same, by the library too.
template <class Sum, class In, class Out>
void multiply(MatrixSize size, std::ptrdiff_t k, Sum alpha, MatrixView<const In> a, MatrixView<const In> b, Sum beta,
              MatrixView<Out> c) {
  if constexpr (kIsBlasNumber<Sum> && std::is_same_v<Sum, In> && std::is_same_v<Sum, Out>) {
    if (multiply_by_blas<Sum>(size, k, alpha, a, b, beta, c)) return;
  }
  multiply_in_order(size, k, alpha, a, b, beta, c);
}

/// A block on the diagonal of multiply_triangle(), with all of its products.
template <class T>
void multiply_diagonal_block(std::ptrdiff_t n, std::ptrdiff_t k, T alpha, MatrixView<const T> a, MatrixView<const T> b,
                             T beta, MatrixView<T> c, Triangle triangle) {
  std::vector<T> block(static_cast<std::size_t>(n * n));
  multiply<T, T, T>({n, n}, k, T(1), a, b, T{}, {block.data(), 1, n});
  for (std::ptrdiff_t j = 0; j < n; ++j) {
    const std::ptrdiff_t end = triangle.upper ? j + 1 : n;
    for (std::ptrdiff_t i = triangle.upper ? 0 : j; i < end; ++i) update(c.place(i, j), alpha, block[j * n + i], beta);
  }
}

/// The same, where C is square and only its triangle is there. The diagonal of a `hermitian` one is real.
template <class T>
void multiply_triangle(std::ptrdiff_t n, std::ptrdiff_t k, T alpha, MatrixView<const T> a, MatrixView<const T> b,
                       T beta, MatrixView<T> c, Triangle triangle, bool hermitian) {
  constexpr std::ptrdiff_t kBlock = 64;
  const std::ptrdiff_t terms = alpha == T{} ? 0 : k;
  for (std::ptrdiff_t j = 0; j < n; j += kBlock) {
    const std::ptrdiff_t columns = std::min(kBlock, n - j);
    const std::ptrdiff_t first = triangle.upper ? 0 : j + columns;
    const MatrixSize rest{triangle.upper ? j : n - first, columns};
    const MatrixView<const T> right = b.from(0, j);
    multiply<T, T, T>(rest, terms, alpha, a.from(first, 0), right, beta, c.from(first, j));
    multiply_diagonal_block<T>(columns, terms, alpha, a.from(j, 0), right, beta, c.from(j, j), triangle);
  }
  for (std::ptrdiff_t j = 0; hermitian && j < n; ++j) {
    if constexpr (IsComplex<T>::value) c.place(j, j) = c.place(j, j).real();
  }
}

/// All elements of a matrix whose other triangle is the transposed one, its conjugate if `hermitian`, column by column.
template <class T>
std::vector<T> mirrored(std::ptrdiff_t n, MatrixView<const T> a, Triangle triangle, bool hermitian) {
  std::vector<T> all(static_cast<std::size_t>(n * n));
  for (std::ptrdiff_t j = 0; j < n; ++j) {
    for (std::ptrdiff_t i = 0; i < n; ++i) {
      const bool stored = triangle.upper ? i <= j : i >= j;
      T value = stored ? a(i, j) : a(j, i);
      if (hermitian && !stored) value = conjugate(value);
      if constexpr (IsComplex<T>::value) {
        if (hermitian && i == j) value = value.real();
      }
      all[j * n + i] = value;
    }
  }
  return all;
}

/// Copies B to C, or does nothing where C is B.
template <class T>
void copy_elements(MatrixSize size, MatrixView<const T> b, MatrixView<T> c) {
  if (b.at == c.at) return;
  for (std::ptrdiff_t j = 0; j < size.columns; ++j) {
    for (std::ptrdiff_t i = 0; i < size.rows; ++i) c.place(i, j) = b(i, j);
  }
}

/// C = alpha * A * B of a triangular A. C may be B.
template <class T>
void multiply_triangular(MatrixSize size, T alpha, MatrixView<const T> a, Triangle triangle, MatrixView<const T> b,
                         MatrixView<T> c) {
  if (fits_blas(size, alpha, a, c)) {
    copy_elements(size, b, c);
    multiply_triangular_by_blas(size, alpha, a, triangle, c);
    return;
  }
  std::vector<T> column(static_cast<std::size_t>(size.rows));
  for (std::ptrdiff_t j = 0; j < size.columns; ++j) {
    for (std::ptrdiff_t i = 0; i < size.rows; ++i) {
      T sum = triangle.unit ? b(i, j) : product(a(i, i), b(i, j));
      const std::ptrdiff_t end = triangle.upper ? size.rows : i;
      for (std::ptrdiff_t p = triangle.upper ? i + 1 : 0; p < end; ++p) sum += product(a(i, p), b(p, j));
      column[i] = product(alpha, sum);
    }
    for (std::ptrdiff_t i = 0; i < size.rows; ++i) c.place(i, j) = column[i];
  }
}

/// B = alpha * inverse of A * B of a triangular A.
template <class T>
void solve_triangular(MatrixSize size, T alpha, MatrixView<const T> a, Triangle triangle, MatrixView<T> b) {
  if (fits_blas(size, alpha, a, b)) return solve_triangular_by_blas(size, alpha, a, triangle, b);
  for (std::ptrdiff_t j = 0; j < size.columns; ++j) {
    for (std::ptrdiff_t step = 0; step < size.rows; ++step) {
      const std::ptrdiff_t i = triangle.upper ? size.rows - 1 - step : step;
      T sum = product(alpha, b(i, j));
      const std::ptrdiff_t end = triangle.upper ? size.rows : i;
      for (std::ptrdiff_t p = triangle.upper ? i + 1 : 0; p < end; ++p) sum -= product(a(i, p), b(p, j));
      b.place(i, j) = triangle.unit ? sum : sum / a(i, i);
    }
  }
}

}  // namespace warpfiber::dense
