// SPDX-License-Identifier: Apache-2.0
// Sizes of the arrays of sparse matrices, and indices that are outside of them.
#include "numerics/sparse/sparse_matrix.hpp"

namespace warpfiber::numerics {
namespace {

/// An array of indices, and what each of them may be.
struct IndexArray {
  const char* what;
  const void* at;
  bool is_64;
  std::int64_t count;
  std::int64_t base;
  std::int64_t limit;  // of an index without its base, which is below it
  bool may_be_missing = false;
};

WrongIndex outside(const IndexArray& array, std::int64_t position, std::int64_t least, std::int64_t most) {
  const auto* bytes = static_cast<const std::byte*>(array.at) + position * (array.is_64 ? 8 : 4);
  return {array.what, bytes, position, SparseMatrix::index_at(array.at, array.is_64, position), least, most};
}

std::optional<WrongIndex> find_index(const IndexArray& array) {
  const std::int64_t most = array.limit - 1 + array.base;
  for (std::int64_t i = 0; i < array.count; ++i) {
    const std::int64_t index = SparseMatrix::index_at(array.at, array.is_64, i);
    if (array.may_be_missing && index == kNoIndex) continue;
    if (index < array.base || index > most) return outside(array, i, array.base, most);
  }
  return std::nullopt;
}

/// Offsets ascend, and the last is at most `limit`.
std::optional<WrongIndex> find_offset(const IndexArray& array) {
  std::int64_t least = array.base;
  const std::int64_t most = array.limit + array.base;
  for (std::int64_t i = 0; i < array.count; ++i) {
    const std::int64_t offset = SparseMatrix::index_at(array.at, array.is_64, i);
    if (offset < least || offset > most) return outside(array, i, least, most);
    least = offset;
  }
  return std::nullopt;
}

IndexArray outer_of(const SparseMatrix& matrix) {
  IndexArray array{"row offset", matrix.outer, matrix.outer_is_64, matrix.outer_count(), matrix.base, matrix.entries};
  switch (matrix.format) {
    case SparseFormat::csc: array.what = "column offset"; break;
    case SparseFormat::coo:
      array.what = "row index";
      array.limit = matrix.rows;
      break;
    case SparseFormat::bsr: array.limit = matrix.inner_count(); break;
    case SparseFormat::sliced_ell:
      array.what = "slice offset";
      array.limit = matrix.slots;
      break;
    case SparseFormat::csr:
    case SparseFormat::blocked_ell: break;
  }
  return array;
}

IndexArray inner_of(const SparseMatrix& matrix) {
  IndexArray array{"column index", matrix.inner, matrix.inner_is_64, matrix.inner_count(), matrix.base, matrix.columns};
  switch (matrix.format) {
    case SparseFormat::csc:
      array.what = "row index";
      array.limit = matrix.rows;
      break;
    case SparseFormat::bsr:
    case SparseFormat::blocked_ell:
      array.what = "block column index";
      array.limit = matrix.columns / matrix.block_columns;
      array.may_be_missing = matrix.format == SparseFormat::blocked_ell;
      break;
    case SparseFormat::sliced_ell: array.may_be_missing = true; break;
    case SparseFormat::csr:
    case SparseFormat::coo: break;
  }
  return array;
}

}  // namespace

std::int64_t SparseMatrix::outer_count() const {
  switch (format) {
    case SparseFormat::csr: return rows + 1;
    case SparseFormat::csc: return columns + 1;
    case SparseFormat::coo: return entries;
    case SparseFormat::bsr: return rows / block_rows + 1;
    case SparseFormat::blocked_ell: return 0;
    case SparseFormat::sliced_ell: break;
  }
  return (rows + block_rows - 1) / block_rows + 1;
}

std::int64_t SparseMatrix::inner_count() const {
  switch (format) {
    case SparseFormat::bsr: return entries / (block_rows * block_columns);
    case SparseFormat::blocked_ell: return rows / block_rows * (row_width / block_rows);
    case SparseFormat::sliced_ell: return slots;
    case SparseFormat::csr:
    case SparseFormat::csc:
    case SparseFormat::coo: break;
  }
  return entries;
}

std::int64_t SparseMatrix::value_count() const {
  return format == SparseFormat::sliced_ell ? slots : entries;
}

SparseMatrix SparseMatrix::of_batch(int i) const {
  const auto moved = [i](const void* at, std::int64_t stride, std::size_t element) -> const void* {
    return static_cast<const std::byte*>(at) + static_cast<std::size_t>(i * stride) * element;
  };
  SparseMatrix one = *this;
  one.batch = 1;
  one.outer = moved(outer, outer_stride, outer_bytes());
  one.inner = moved(inner, inner_stride, inner_bytes());
  one.values = moved(values, value_stride, bytes_of(kind));
  return one;
}

std::optional<WrongIndex> find_outside(const SparseMatrix& matrix) {
  for (int i = 0; i < matrix.batch; ++i) {
    const SparseMatrix one = matrix.of_batch(i);
    const bool has_offsets = matrix.format != SparseFormat::coo && matrix.format != SparseFormat::blocked_ell;
    auto found = has_offsets ? find_offset(outer_of(one)) : find_index(outer_of(one));
    if (found.has_value()) return found;
    IndexArray inner = inner_of(one);
    // The offsets say how many of them are used.
    if (matrix.is_compressed() || matrix.format == SparseFormat::bsr) inner.count = one.outer_at(one.outer_count() - 1);
    found = find_index(inner);
    if (found.has_value()) return found;
  }
  return std::nullopt;
}

std::optional<WrongIndex> find_outside(const SparseVector& vector) {
  return find_index({"index", vector.indices, vector.is_64, vector.entries, vector.base, vector.size});
}

}  // namespace warpfiber::numerics
