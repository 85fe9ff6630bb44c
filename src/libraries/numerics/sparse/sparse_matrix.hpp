// SPDX-License-Identifier: Apache-2.0
// Sparse and dense matrices in the memory that cuSPARSE's descriptors name. What goes through the entries of a sparse
// matrix relies on find_outside() to have found nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "numerics/sparse/values.hpp"

namespace warpfiber::numerics {

/// csr and csc: compressed rows or columns; coo: an index of both for each entry; bsr: csr of dense blocks;
/// blocked_ell: as many blocks in each row of blocks; sliced_ell: slices of rows, in each of which rows are as long.
enum class SparseFormat { csr, csc, coo, bsr, blocked_ell, sliced_ell };

/// A column of blocks or an entry that is not there has the index -1, whatever the base.
inline constexpr std::int64_t kNoIndex = -1;

/// `outer`: offsets of rows (csr, bsr), columns (csc) or slices (sliced_ell), or row indices (coo); `inner`: the other
/// index. Of a batch, matrix i has its arrays `outer_stride`, `inner_stride` and `value_stride` elements further.
struct SparseMatrix {
  SparseFormat format = SparseFormat::csr;
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  std::int64_t entries = 0;  // values in memory; of a sliced_ell matrix those that are not filled up
  const void* outer = nullptr;
  const void* inner = nullptr;
  const void* values = nullptr;
  NumberKind kind = NumberKind::float32;
  bool outer_is_64 = false;
  bool inner_is_64 = false;
  std::int64_t base = 0;
  std::int64_t block_rows = 1;     // of a block; sliced_ell: rows of a slice
  std::int64_t block_columns = 1;  // of a block
  std::int64_t row_width = 0;      // blocked_ell: columns that are stored for each row
  std::int64_t slots = 0;          // sliced_ell: values in memory
  bool block_by_row = true;
  int batch = 1;
  std::int64_t outer_stride = 0;
  std::int64_t inner_stride = 0;
  std::int64_t value_stride = 0;

  [[nodiscard]] bool is_compressed() const { return format == SparseFormat::csr || format == SparseFormat::csc; }
  [[nodiscard]] std::int64_t outer_at(std::int64_t i) const { return index_at(outer, outer_is_64, i) - base; }
  [[nodiscard]] std::int64_t inner_at(std::int64_t i) const { return index_at(inner, inner_is_64, i) - base; }
  void put_outer(std::int64_t i, std::int64_t index) const { put_index(outer, outer_is_64, i, index + base); }
  void put_inner(std::int64_t i, std::int64_t index) const { put_index(inner, inner_is_64, i, index + base); }

  [[nodiscard]] std::size_t outer_bytes() const { return outer_is_64 ? 8 : 4; }
  [[nodiscard]] std::size_t inner_bytes() const { return inner_is_64 ? 8 : 4; }
  /// How many elements the arrays have.
  [[nodiscard]] std::int64_t outer_count() const;
  [[nodiscard]] std::int64_t inner_count() const;
  [[nodiscard]] std::int64_t value_count() const;

  /// Matrix `i` of the batch.
  [[nodiscard]] SparseMatrix of_batch(int i) const;

  static std::int64_t index_at(const void* from, bool is_64, std::int64_t i) {
    return is_64 ? static_cast<const std::int64_t*>(from)[i] : static_cast<const std::int32_t*>(from)[i];
  }
  static void put_index(const void* to, bool is_64, std::int64_t i, std::int64_t index) {
    if (is_64) {
      static_cast<std::int64_t*>(const_cast<void*>(to))[i] = index;
    } else {
      static_cast<std::int32_t*>(const_cast<void*>(to))[i] = static_cast<std::int32_t>(index);
    }
  }
};

/// An index that is outside of its matrix, or an offset that is outside of the matrix' arrays or below the one before.
struct WrongIndex {
  const char* what = "";      // "column index"
  const void* at = nullptr;   // where it is
  std::int64_t position = 0;  // of it in its array
  std::int64_t index = 0;     // as it is in memory
  std::int64_t least = 0;     // that it may be
  std::int64_t most = 0;
};

/// The first of them; none: every entry is within the matrix and its arrays.
std::optional<WrongIndex> find_outside(const SparseMatrix& matrix);

/// Calls `visit(row, column, i)` for each entry; `i` is the number of its value.
template <class Visit>
void for_each_entry_of_blocks(const SparseMatrix& matrix, Visit&& visit) {
  const std::int64_t block = matrix.block_rows * matrix.block_columns;
  for (std::int64_t row = 0; row < matrix.rows / matrix.block_rows; ++row) {
    for (std::int64_t at = matrix.outer_at(row); at < matrix.outer_at(row + 1); ++at) {
      for (std::int64_t i = 0; i < block; ++i) {
        const std::int64_t r = matrix.block_by_row ? i / matrix.block_columns : i % matrix.block_rows;
        const std::int64_t c = matrix.block_by_row ? i % matrix.block_columns : i / matrix.block_rows;
        visit(row * matrix.block_rows + r, matrix.inner_at(at) * matrix.block_columns + c, at * block + i);
      }
    }
  }
}

template <class Visit>
void for_each_entry_of_blocked_ell(const SparseMatrix& matrix, Visit&& visit) {
  const std::int64_t size = matrix.block_rows, width = matrix.row_width;
  if (width == 0) return;
  for (std::int64_t row = 0; row < matrix.rows; ++row) {
    for (std::int64_t at = 0; at < width; ++at) {
      const std::int64_t block = row / size * (width / size) + at / size;
      if (SparseMatrix::index_at(matrix.inner, matrix.inner_is_64, block) == kNoIndex) continue;
      visit(row, matrix.inner_at(block) * size + at % size, row * width + at);
    }
  }
}

template <class Visit>
void for_each_entry_of_slices(const SparseMatrix& matrix, Visit&& visit) {
  const std::int64_t size = matrix.block_rows;
  for (std::int64_t row = 0; row < matrix.rows; ++row) {
    const std::int64_t slice = row / size, end = matrix.outer_at(slice + 1);
    for (std::int64_t at = matrix.outer_at(slice) + row % size; at < end; at += size) {
      if (SparseMatrix::index_at(matrix.inner, matrix.inner_is_64, at) == kNoIndex) continue;
      visit(row, matrix.inner_at(at), at);
    }
  }
}

template <class Visit>
void for_each_entry(const SparseMatrix& matrix, Visit&& visit) {
  switch (matrix.format) {
    case SparseFormat::bsr: return for_each_entry_of_blocks(matrix, visit);
    case SparseFormat::blocked_ell: return for_each_entry_of_blocked_ell(matrix, visit);
    case SparseFormat::sliced_ell: return for_each_entry_of_slices(matrix, visit);
    case SparseFormat::coo:
      for (std::int64_t i = 0; i < matrix.entries; ++i) visit(matrix.outer_at(i), matrix.inner_at(i), i);
      return;
    case SparseFormat::csr:
    case SparseFormat::csc: break;
  }
  const bool by_row = matrix.format == SparseFormat::csr;
  const std::int64_t lines = by_row ? matrix.rows : matrix.columns;
  for (std::int64_t line = 0; line < lines; ++line) {
    const std::int64_t end = matrix.outer_at(line + 1);
    for (std::int64_t i = matrix.outer_at(line); i < end; ++i) {
      const std::int64_t other = matrix.inner_at(i);
      visit(by_row ? line : other, by_row ? other : line, i);
    }
  }
}

/// How a matrix is used in a product.
enum class MatrixUse { plain, transposed, conjugated };

/// A dense matrix; a vector is one of a single column. Of a batch, matrix i is `stride` elements further.
struct DenseMatrix {
  std::int64_t rows = 0;
  std::int64_t columns = 1;
  std::int64_t leading = 0;
  bool by_row = false;
  void* values = nullptr;
  NumberKind kind = NumberKind::float32;
  int batch = 1;
  std::int64_t stride = 0;

  [[nodiscard]] std::int64_t at(std::int64_t row, std::int64_t column) const {
    return by_row ? row * leading + column : column * leading + row;
  }
  template <class Number>
  [[nodiscard]] Number value(std::int64_t row, std::int64_t column) const {
    return value_at<Number>(kind, values, at(row, column));
  }
  [[nodiscard]] DenseMatrix of_batch(int i) const {
    DenseMatrix one = *this;
    one.batch = 1;
    one.values = static_cast<std::byte*>(values) + static_cast<std::size_t>(i * stride) * bytes_of(kind);
    return one;
  }
};

/// Element (row, column) of a matrix as it is used.
template <class Number>
Number used_value(const DenseMatrix& matrix, MatrixUse use, std::int64_t row, std::int64_t column) {
  if (use == MatrixUse::plain) return matrix.value<Number>(row, column);
  const Number value = matrix.value<Number>(column, row);
  return use == MatrixUse::conjugated ? conjugate(value) : value;
}

/// `indices` of the entries of a dense vector that are not zero.
struct SparseVector {
  std::int64_t size = 0;
  std::int64_t entries = 0;
  const void* indices = nullptr;
  const void* values = nullptr;
  NumberKind kind = NumberKind::float32;
  bool is_64 = false;
  std::int64_t base = 0;

  [[nodiscard]] std::int64_t index_at(std::int64_t i) const { return SparseMatrix::index_at(indices, is_64, i) - base; }
};

std::optional<WrongIndex> find_outside(const SparseVector& vector);

}  // namespace warpfiber::numerics
