// SPDX-License-Identifier: Apache-2.0
// Sums of a product are kept for one row of the result, or for all of it where it is dense.
#include "numerics/sparse/products.hpp"

#include <algorithm>
#include <cstddef>

namespace warpfiber::numerics {
namespace {

template <class Number>
void scale_and_add(const DenseMatrix& c, const std::vector<Number>& sums, Number alpha, Number beta) {
  for (std::int64_t i = 0; i < c.rows; ++i) {
    for (std::int64_t j = 0; j < c.columns; ++j) {
      Number value = product(alpha, sums[static_cast<std::size_t>(i * c.columns + j)]);
      if (beta != Number{}) value += product(beta, c.value<Number>(i, j));
      put_value(c.kind, c.values, c.at(i, j), value);
    }
  }
}

template <class Number>
void multiply_one(const SparseMatrix& a, MatrixUse use_a, const DenseMatrix& b, MatrixUse use_b, const DenseMatrix& c,
                  Number alpha, Number beta) {
  std::vector<Number> sums(static_cast<std::size_t>(c.rows * c.columns));
  for_each_entry(a, [&](std::int64_t row, std::int64_t column, std::int64_t i) {
    Number entry = value_at<Number>(a.kind, a.values, i);
    if (use_a == MatrixUse::conjugated) entry = conjugate(entry);
    const std::int64_t to = use_a == MatrixUse::plain ? row : column;
    const std::int64_t from = use_a == MatrixUse::plain ? column : row;
    Number* const sum = sums.data() + to * c.columns;
    for (std::int64_t j = 0; j < c.columns; ++j) sum[j] += product(entry, used_value<Number>(b, use_b, from, j));
  });
  scale_and_add(c, sums, alpha, beta);
}

/// Calls `visit(i, column, product)` for each entry of a's row and each that it meets in b; `i`: the row of b.
template <class Visit>
void for_each_product(const SparseMatrix& a, const SparseMatrix& b, std::int64_t row, Visit visit) {
  for (std::int64_t i = a.outer_at(row); i < a.outer_at(row + 1); ++i) {
    const std::int64_t middle = a.inner_at(i);
    for (std::int64_t j = b.outer_at(middle); j < b.outer_at(middle + 1); ++j) visit(i, j, b.inner_at(j));
  }
}

template <class Number>
std::vector<WideNumber> product_values(const SparseMatrix& a, const SparseMatrix& b, const ProductPattern& pattern,
                                       Number alpha) {
  std::vector<WideNumber> values(pattern.columns.size());
  std::vector<Number> sums(static_cast<std::size_t>(b.columns));
  for (std::int64_t row = 0; row < a.rows; ++row) {
    for_each_product(a, b, row, [&](std::int64_t i, std::int64_t j, std::int64_t column) {
      sums[static_cast<std::size_t>(column)] +=
          product(value_at<Number>(a.kind, a.values, i), value_at<Number>(b.kind, b.values, j));
    });
    const auto begin = static_cast<std::size_t>(pattern.offsets[static_cast<std::size_t>(row)]);
    const auto end = static_cast<std::size_t>(pattern.offsets[static_cast<std::size_t>(row) + 1]);
    for (std::size_t at = begin; at < end; ++at) {
      Number& sum = sums[static_cast<std::size_t>(pattern.columns[at])];
      values[at] = product(alpha, sum);
      sum = Number{};
    }
  }
  return values;
}

}  // namespace

void multiply(const SparseMatrix& a, MatrixUse use_a, const DenseMatrix& b, MatrixUse use_b, const DenseMatrix& c,
              const Scalar& alpha, const Scalar& beta) {
  with_number(c.kind, [&]<class Number>(Number) {
    for (int i = 0; i < c.batch; ++i) {
      multiply_one<Number>(a.of_batch(a.batch == 1 ? 0 : i), use_a, b.of_batch(b.batch == 1 ? 0 : i), use_b,
                           c.of_batch(i), alpha.value<Number>(), beta.value<Number>());
    }
  });
}

void multiply_sampled(const DenseMatrix& a, MatrixUse use_a, const DenseMatrix& b, MatrixUse use_b,
                      const SparseMatrix& c, const Scalar& alpha, const Scalar& beta) {
  const auto multiply_one = [&]<class Number>(const DenseMatrix& left, const DenseMatrix& right,
                                              const SparseMatrix& sampled, Number by, Number kept) {
    const std::int64_t inner = use_a == MatrixUse::plain ? left.columns : left.rows;
    void* const values = const_cast<void*>(sampled.values);
    for_each_entry(sampled, [&](std::int64_t row, std::int64_t column, std::int64_t i) {
      Number sum{};
      for (std::int64_t k = 0; k < inner; ++k) {
        sum += product(used_value<Number>(left, use_a, row, k), used_value<Number>(right, use_b, k, column));
      }
      Number value = product(by, sum);
      if (kept != Number{}) value += product(kept, value_at<Number>(sampled.kind, values, i));
      put_value(sampled.kind, values, i, value);
    });
  };
  with_number(c.kind, [&]<class Number>(Number) {
    for (int i = 0; i < c.batch; ++i) {
      multiply_one(a.of_batch(a.batch == 1 ? 0 : i), b.of_batch(b.batch == 1 ? 0 : i), c.of_batch(i),
                   alpha.value<Number>(), beta.value<Number>());
    }
  });
}

std::int64_t products_in_product(const SparseMatrix& a, const SparseMatrix& b) {
  std::int64_t count = 0;
  for (std::int64_t row = 0; row < a.rows; ++row) {
    for_each_product(a, b, row, [&](std::int64_t, std::int64_t, std::int64_t) { ++count; });
  }
  return count;
}

ProductPattern pattern_of_product(const SparseMatrix& a, const SparseMatrix& b) {
  ProductPattern pattern;
  std::vector<std::int64_t> seen_in(static_cast<std::size_t>(b.columns), -1);  // a row, by column
  for (std::int64_t row = 0; row < a.rows; ++row) {
    const auto begin = static_cast<std::ptrdiff_t>(pattern.columns.size());
    for_each_product(a, b, row, [&](std::int64_t, std::int64_t, std::int64_t column) {
      std::int64_t& seen = seen_in[static_cast<std::size_t>(column)];
      if (seen == row) return;
      seen = row;
      pattern.columns.push_back(column);
    });
    std::sort(pattern.columns.begin() + begin, pattern.columns.end());
    pattern.offsets.push_back(pattern.entries());
  }
  return pattern;
}

std::vector<WideNumber> values_of_product(const SparseMatrix& a, const SparseMatrix& b, const ProductPattern& pattern,
                                          const Scalar& alpha) {
  return with_number(
      a.kind, [&]<class Number>(Number) { return product_values<Number>(a, b, pattern, alpha.value<Number>()); });
}

void put_product_values(const std::vector<WideNumber>& values, const Scalar& beta, const SparseMatrix& c) {
  const auto kept = beta.value<WideNumber>();
  std::int64_t i = 0;
  for (WideNumber value : values) {
    if (kept != WideNumber{}) value += product(kept, value_at<WideNumber>(c.kind, c.values, i));
    put_value(c.kind, const_cast<void*>(c.values), i++, value);
  }
}

}  // namespace warpfiber::numerics
