// SPDX-License-Identifier: Apache-2.0
// Sparse matrices in the memory that cuSPARSE's descriptors name, and their products with dense vectors and matrices.
// Entries outside of the matrix are left out. Sums are kept in double precision.
#pragma once

#include <algorithm>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace warpfiber::numerics {

enum class SparseFormat { csr, csc, coo };

/// `outer`: offsets of rows (csr) or columns (csc), or an index for each entry (coo); `inner`: the other index.
struct SparseMatrix {
  SparseFormat format = SparseFormat::csr;
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  std::int64_t entries = 0;
  const void* outer = nullptr;
  const void* inner = nullptr;
  const void* values = nullptr;
  bool outer_is_64 = false;
  bool inner_is_64 = false;
  std::int64_t base = 0;

  [[nodiscard]] std::int64_t outer_at(std::int64_t i) const { return index_at(outer, outer_is_64, i); }
  [[nodiscard]] std::int64_t inner_at(std::int64_t i) const { return index_at(inner, inner_is_64, i); }

 private:
  [[nodiscard]] std::int64_t index_at(const void* from, bool is_64, std::int64_t i) const {
    return (is_64 ? static_cast<const std::int64_t*>(from)[i] : static_cast<const std::int32_t*>(from)[i]) - base;
  }
};

/// Calls `visit(row, column, entry)` for every entry within the matrix.
template <class Visit>
void for_each_entry(const SparseMatrix& matrix, Visit&& visit) {
  const auto visit_inside = [&](std::int64_t row, std::int64_t column, std::int64_t entry) {
    if (row >= 0 && row < matrix.rows && column >= 0 && column < matrix.columns) visit(row, column, entry);
  };
  if (matrix.format == SparseFormat::coo) {
    for (std::int64_t i = 0; i < matrix.entries; ++i) visit_inside(matrix.outer_at(i), matrix.inner_at(i), i);
    return;
  }
  const bool by_row = matrix.format == SparseFormat::csr;
  const std::int64_t lines = by_row ? matrix.rows : matrix.columns;
  for (std::int64_t line = 0; line < lines; ++line) {
    const std::int64_t begin = std::max<std::int64_t>(matrix.outer_at(line), 0);
    const std::int64_t end = std::min(matrix.outer_at(line + 1), matrix.entries);
    for (std::int64_t i = begin; i < end; ++i) {
      const std::int64_t other = matrix.inner_at(i);
      visit_inside(by_row ? line : other, by_row ? other : line, i);
    }
  }
}

/// How a matrix is used in a product.
enum class MatrixUse { plain, transposed, conjugated };

/// A dense matrix; a vector is one of a single column.
struct DenseMatrix {
  std::int64_t rows = 0;
  std::int64_t columns = 1;
  std::int64_t leading = 0;
  bool by_row = false;
  void* values = nullptr;

  [[nodiscard]] std::int64_t at(std::int64_t row, std::int64_t column) const {
    return by_row ? row * leading + column : column * leading + row;
  }
};

template <class Value>
struct ValueTraits {
  using Sum = double;
  static Value conjugated(Value value) { return value; }
};

template <class Real>
struct ValueTraits<std::complex<Real>> {
  using Sum = std::complex<double>;
  static std::complex<Real> conjugated(std::complex<Real> value) { return std::conj(value); }
};

/// c = alpha * use_a(a) * use_b(b) + beta * c. `c` is not read where `beta` is 0.
template <class Value>
void multiply(const SparseMatrix& a, MatrixUse use_a, const DenseMatrix& b, MatrixUse use_b, const DenseMatrix& c,
              Value alpha, Value beta) {
  using Sum = typename ValueTraits<Value>::Sum;
  const Value* entries = static_cast<const Value*>(a.values);
  const Value* right = static_cast<const Value*>(b.values);
  std::vector<Sum> sums(static_cast<std::size_t>(c.rows * c.columns));
  for_each_entry(a, [&](std::int64_t row, std::int64_t column, std::int64_t i) {
    const Value entry = use_a == MatrixUse::conjugated ? ValueTraits<Value>::conjugated(entries[i]) : entries[i];
    const std::int64_t to = use_a == MatrixUse::plain ? row : column;
    const std::int64_t from = use_a == MatrixUse::plain ? column : row;
    for (std::int64_t j = 0; j < c.columns; ++j) {
      Value factor = right[use_b == MatrixUse::plain ? b.at(from, j) : b.at(j, from)];
      if (use_b == MatrixUse::conjugated) factor = ValueTraits<Value>::conjugated(factor);
      sums[static_cast<std::size_t>(to * c.columns + j)] += Sum(entry) * Sum(factor);
    }
  });
  Value* out = static_cast<Value*>(c.values);
  for (std::int64_t i = 0; i < c.rows; ++i) {
    for (std::int64_t j = 0; j < c.columns; ++j) {
      Sum value = Sum(alpha) * sums[static_cast<std::size_t>(i * c.columns + j)];
      if (beta != Value{}) value += Sum(beta) * Sum(out[c.at(i, j)]);
      out[c.at(i, j)] = static_cast<Value>(value);
    }
  }
}

}  // namespace warpfiber::numerics
