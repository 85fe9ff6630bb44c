// SPDX-License-Identifier: Apache-2.0
// Each function goes through its matrix once; rows and columns are counted from 0.
#include "numerics/sparse/conversions.hpp"

#include <algorithm>
#include <complex>
#include <cstddef>
#include <numeric>
#include <vector>

namespace warpfiber::numerics {
namespace {

/// Calls `visit(row, column, value)` for what is not zero, by rows or by columns.
template <class Visit>
void for_each_number(const DenseMatrix& dense, bool by_row, Visit visit) {
  const std::int64_t lines = by_row ? dense.rows : dense.columns, length = by_row ? dense.columns : dense.rows;
  for (std::int64_t line = 0; line < lines; ++line) {
    for (std::int64_t i = 0; i < length; ++i) {
      const std::int64_t row = by_row ? line : i, column = by_row ? i : line;
      const WideNumber value = dense.value<WideNumber>(row, column);
      if (value != WideNumber{}) visit(row, column, value);
    }
  }
}

void* writable(const void* at) {
  return const_cast<void*>(at);
}

/// Numbers of what is to be sorted, in the order that `less` has.
template <class Less>
std::vector<std::int64_t> sorted(std::int64_t count, Less less) {
  std::vector<std::int64_t> order(static_cast<std::size_t>(count));
  std::iota(order.begin(), order.end(), std::int64_t{0});
  std::stable_sort(order.begin(), order.end(), less);
  return order;
}

void permute(std::int32_t* values, const std::vector<std::int64_t>& order) {
  std::vector<std::int32_t> moved;
  moved.reserve(order.size());
  for (const std::int64_t from : order) moved.push_back(values[from]);
  std::copy(moved.begin(), moved.end(), values);
}

/// Calls `visit(column, entry of a or -1, entry of b or -1)` for each column that the row has in one of the two.
template <class Visit>
void merge_rows(const SparseMatrix& a, const SparseMatrix& b, std::int64_t row, Visit visit) {
  std::int64_t i = a.outer_at(row), j = b.outer_at(row);
  const std::int64_t a_end = a.outer_at(row + 1), b_end = b.outer_at(row + 1);
  while (i < a_end || j < b_end) {
    const std::int64_t of_a = i < a_end ? a.inner_at(i) : a.columns, of_b = j < b_end ? b.inner_at(j) : b.columns;
    const std::int64_t column = std::min(of_a, of_b);
    visit(column, of_a == column ? i : -1, of_b == column ? j : -1);
    if (of_a == column) ++i;
    if (of_b == column) ++j;
  }
}

}  // namespace

std::int64_t count_entries(const DenseMatrix& dense) {
  std::int64_t count = 0;
  for_each_number(dense, dense.by_row, [&](std::int64_t, std::int64_t, WideNumber) { ++count; });
  return count;
}

void count_by_line(const DenseMatrix& dense, bool by_row, std::int32_t* counts) {
  std::fill_n(counts, by_row ? dense.rows : dense.columns, 0);
  for_each_number(dense, by_row,
                  [&](std::int64_t row, std::int64_t column, WideNumber) { ++counts[by_row ? row : column]; });
}

void put_offsets(const DenseMatrix& dense, const SparseMatrix& sparse) {
  const bool by_row = sparse.format == SparseFormat::csr;
  std::vector<std::int32_t> counts(static_cast<std::size_t>(by_row ? dense.rows : dense.columns));
  count_by_line(dense, by_row, counts.data());
  std::int64_t offset = 0, line = 0;
  for (const std::int32_t count : counts) {
    sparse.put_outer(line++, offset);
    offset += count;
  }
  sparse.put_outer(line, offset);
}

void to_sparse(const DenseMatrix& dense, const SparseMatrix& sparse) {
  if (sparse.format == SparseFormat::blocked_ell) {
    std::memset(writable(sparse.values), 0, static_cast<std::size_t>(sparse.entries) * bytes_of(sparse.kind));
    for_each_entry(sparse, [&](std::int64_t row, std::int64_t column, std::int64_t i) {
      put_value(sparse.kind, writable(sparse.values), i, dense.value<WideNumber>(row, column));
    });
    return;
  }
  std::int64_t i = 0;
  const bool by_row = sparse.format != SparseFormat::csc;
  for_each_number(dense, by_row, [&](std::int64_t row, std::int64_t column, WideNumber value) {
    if (sparse.format == SparseFormat::coo) sparse.put_outer(i, row);
    sparse.put_inner(i, by_row ? column : row);
    put_value(sparse.kind, writable(sparse.values), i++, value);
  });
}

void to_dense(const SparseMatrix& sparse, const DenseMatrix& dense) {
  for (std::int64_t row = 0; row < dense.rows; ++row) {
    for (std::int64_t column = 0; column < dense.columns; ++column) {
      put_value(dense.kind, dense.values, dense.at(row, column), WideNumber{});
    }
  }
  for_each_entry(sparse, [&](std::int64_t row, std::int64_t column, std::int64_t i) {
    put_value(dense.kind, dense.values, dense.at(row, column), value_at<WideNumber>(sparse.kind, sparse.values, i));
  });
}

void to_columns(const SparseMatrix& sparse, const SparseMatrix& result) {
  std::vector<std::int64_t> next(static_cast<std::size_t>(sparse.columns) + 1);
  for_each_entry(
      sparse, [&](std::int64_t, std::int64_t column, std::int64_t) { ++next[static_cast<std::size_t>(column) + 1]; });
  std::partial_sum(next.begin(), next.end(), next.begin());
  for (std::int64_t i = 0; i <= sparse.columns; ++i) result.put_outer(i, next[static_cast<std::size_t>(i)]);
  for_each_entry(sparse, [&](std::int64_t row, std::int64_t column, std::int64_t i) {
    const std::int64_t to = next[static_cast<std::size_t>(column)]++;
    result.put_inner(to, row);
    if (result.values == nullptr) return;
    put_value(result.kind, writable(result.values), to, value_at<WideNumber>(sparse.kind, sparse.values, i));
  });
}

void expand_offsets(const SparseMatrix& rows, std::int32_t* indices) {
  for (std::int64_t row = 0; row < rows.rows; ++row) {
    for (std::int64_t i = rows.outer_at(row); i < rows.outer_at(row + 1); ++i) {
      indices[i] = static_cast<std::int32_t>(row + rows.base);
    }
  }
}

void compress_indices(const std::int32_t* indices, std::int64_t count, std::int64_t rows, std::int64_t base,
                      std::int32_t* offsets) {
  for (std::int64_t row = 0; row <= rows; ++row) {
    const std::int32_t* const first = std::lower_bound(indices, indices + count, row + base);
    offsets[row] = static_cast<std::int32_t>(first - indices + base);
  }
}

void sort_pairs(std::int64_t count, std::int32_t* first, std::int32_t* second, std::int32_t* order) {
  const auto by_both = sorted(count, [&](std::int64_t a, std::int64_t b) {
    return first[a] != first[b] ? first[a] < first[b] : second[a] < second[b];
  });
  permute(first, by_both);
  permute(second, by_both);
  if (order != nullptr) permute(order, by_both);
}

void sort_lines(std::int64_t lines, const std::int32_t* offsets, std::int32_t base, std::int32_t* indices,
                std::int32_t* order) {
  for (std::int64_t line = 0; line < lines; ++line) {
    const std::int32_t begin = offsets[line] - base;
    std::int32_t* const of_line = indices + begin;
    const auto by_index = sorted(offsets[line + 1] - offsets[line],
                                 [&](std::int64_t a, std::int64_t b) { return of_line[a] < of_line[b]; });
    permute(of_line, by_index);
    if (order != nullptr) permute(order + begin, by_index);
  }
}

std::int64_t put_offsets_of_sum(const SparseMatrix& a, const SparseMatrix& b, const SparseMatrix& sum) {
  std::int64_t count = 0;
  for (std::int64_t row = 0; row < a.rows; ++row) {
    sum.put_outer(row, count);
    merge_rows(a, b, row, [&](std::int64_t, std::int64_t, std::int64_t) { ++count; });
  }
  sum.put_outer(a.rows, count);
  return count;
}

void put_sum(const SparseMatrix& a, const Scalar& alpha, const SparseMatrix& b, const Scalar& beta,
             const SparseMatrix& sum) {
  for (std::int64_t row = 0; row < a.rows; ++row) {
    std::int64_t to = sum.outer_at(row);
    merge_rows(a, b, row, [&](std::int64_t column, std::int64_t i, std::int64_t j) {
      WideNumber value{};
      if (i >= 0) value += product(alpha.value<WideNumber>(), value_at<WideNumber>(a.kind, a.values, i));
      if (j >= 0) value += product(beta.value<WideNumber>(), value_at<WideNumber>(b.kind, b.values, j));
      sum.put_inner(to, column);
      put_value(sum.kind, writable(sum.values), to++, value);
    });
  }
}

}  // namespace warpfiber::numerics
