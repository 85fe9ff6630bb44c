// SPDX-License-Identifier: Apache-2.0
// Sparse products, solutions, factors and conversions against loops over dense matrices.
#include <cmath>
#include <complex>
#include <cstdint>
#include <random>
#include <vector>

#include "numerics/sparse/conversions.hpp"
#include "numerics/sparse/products.hpp"
#include "numerics/sparse/solves.hpp"
#include "support/catch.hpp"

using namespace warpfiber::numerics;

namespace {

using Numbers = std::vector<double>;  // of a matrix by rows

/// A csr matrix, with about a third of its numbers, and those numbers.
struct Sample {
  std::int64_t rows;
  std::int64_t columns;
  Numbers dense;
  std::vector<std::int32_t> offsets;
  std::vector<std::int32_t> indices;
  Numbers values;

  Sample(std::int64_t rows_, std::int64_t columns_, unsigned seed, double diagonal = 0)
      : rows(rows_), columns(columns_), dense(static_cast<std::size_t>(rows * columns)), offsets{0} {
    std::mt19937 random(seed);
    for (std::int64_t i = 0; i < rows; ++i) {
      for (std::int64_t j = 0; j < columns; ++j) {
        const bool on_diagonal = i == j && diagonal != 0;
        if (random() % 3 != 0 && !on_diagonal) continue;
        const double value = on_diagonal ? diagonal : static_cast<double>(random() % 19) - 9;
        dense[static_cast<std::size_t>(i * columns + j)] = value;
        indices.push_back(static_cast<std::int32_t>(j));
        values.push_back(value);
      }
      offsets.push_back(static_cast<std::int32_t>(indices.size()));
    }
  }

  double at(std::int64_t i, std::int64_t j) const { return dense[static_cast<std::size_t>(i * columns + j)]; }
  SparseMatrix matrix() const {
    SparseMatrix made;
    made.rows = rows;
    made.columns = columns;
    made.entries = static_cast<std::int64_t>(values.size());
    made.outer = offsets.data();
    made.inner = indices.data();
    made.values = values.data();
    made.kind = NumberKind::float64;
    return made;
  }
};

DenseMatrix dense_matrix(std::int64_t rows, std::int64_t columns, Numbers& numbers) {
  return {rows, columns, columns, true, numbers.data(), NumberKind::float64};
}

Scalar scalar(double value) {
  return {NumberKind::float64, &value, false};
}

void require_near(const Numbers& here, const Numbers& there) {
  REQUIRE(here.size() == there.size());
  for (std::size_t i = 0; i < here.size(); ++i) REQUIRE(std::abs(here[i] - there[i]) < 1e-9 * (1 + std::abs(there[i])));
}

Numbers product_of(const Sample& a, const Numbers& b, std::int64_t columns) {
  Numbers sums(static_cast<std::size_t>(a.rows * columns));
  for (std::int64_t i = 0; i < a.rows; ++i) {
    for (std::int64_t k = 0; k < a.columns; ++k) {
      for (std::int64_t j = 0; j < columns; ++j) {
        sums[static_cast<std::size_t>(i * columns + j)] += a.at(i, k) * b[static_cast<std::size_t>(k * columns + j)];
      }
    }
  }
  return sums;
}

}  // namespace

TEST_CASE("A sparse matrix times a dense one is what their dense product is") {
  const unsigned seed = GENERATE(1U, 2U, 3U);
  const Sample a(7, 5, seed);
  Sample b(5, 4, seed + 100);
  Numbers c(28, 9);
  multiply(a.matrix(), MatrixUse::plain, dense_matrix(5, 4, b.dense), MatrixUse::plain, dense_matrix(7, 4, c),
           scalar(1), scalar(0));
  require_near(c, product_of(a, b.dense, 4));
}

TEST_CASE("The product of two sparse matrices has the numbers of their dense product") {
  const unsigned seed = GENERATE(1U, 2U, 3U);
  const Sample a(7, 5, seed), b(5, 6, seed + 100);
  const ProductPattern pattern = pattern_of_product(a.matrix(), b.matrix());
  const auto values = values_of_product(a.matrix(), b.matrix(), pattern, scalar(2));
  Numbers made(42);
  for (std::size_t row = 0; row < 7; ++row) {
    for (auto i = pattern.offsets[row]; i < pattern.offsets[row + 1]; ++i) {
      const auto at = static_cast<std::size_t>(i);
      made[row * 6 + static_cast<std::size_t>(pattern.columns[at])] = values[at].real() / 2;
    }
  }
  require_near(made, product_of(a, b.dense, 6));
}

TEST_CASE("A triangle times its solution is the right side") {
  const bool upper = GENERATE(false, true), unit = GENERATE(false, true), transposed = GENERATE(false, true);
  const Sample a(9, 9, 5, 7);
  Numbers b = {1, 2, 3, 4, 5, 6, 7, 8, 9}, x(9);
  solve_triangle(a.matrix(), values_of(a.matrix()), {upper, unit},
                 transposed ? MatrixUse::transposed : MatrixUse::plain, dense_matrix(9, 1, b), MatrixUse::plain,
                 dense_matrix(9, 1, x), scalar(1));
  Numbers again(9);
  for (std::int64_t i = 0; i < 9; ++i) {
    for (std::int64_t j = 0; j < 9; ++j) {
      double value = i == j && unit ? 1 : a.at(i, j);
      if (i != j && (i < j) != upper) value = 0;
      const std::int64_t to = transposed ? j : i, from = transposed ? i : j;
      again[static_cast<std::size_t>(to)] += value * x[static_cast<std::size_t>(from)];
    }
  }
  require_near(again, b);
}

TEST_CASE("Incomplete factors of a full matrix are its factors") {
  Numbers numbers = {4, -1, 1, 2, 5, -2, 1, 3, 6};
  const std::vector<std::int32_t> offsets = {0, 3, 6, 9}, columns = {0, 1, 2, 0, 1, 2, 0, 1, 2};
  SparseMatrix matrix;
  matrix.rows = matrix.columns = 3;
  matrix.entries = 9;
  matrix.outer = offsets.data();
  matrix.inner = columns.data();
  Numbers factors = numbers;
  matrix.values = factors.data();
  matrix.kind = NumberKind::float64;
  REQUIRE(factorise_lu(matrix, {}) == -1);
  Numbers again(9);
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      for (std::size_t k = 0; k <= std::min(i, j); ++k) {
        again[i * 3 + j] += (k == i ? 1 : factors[i * 3 + k]) * factors[k * 3 + j];
      }
    }
  }
  require_near(again, numbers);
}

TEST_CASE("Few diagonals times their solution are the right side") {
  const bool exchange = GENERATE(false, true);
  const Numbers lower = {0, 1, 2, -1, 3}, middle = {4, 5, 6, 7, 8}, upper = {1, 3, 2, 1, 0};
  const Numbers second_lower = {0, 0, 1, -2, 1}, second_upper = {1, 1, -1, 0, 0};
  const Numbers right = {1, 2, 3, 4, 5};
  Numbers x = right;
  solve_diagonals(
      {NumberKind::float64, 5, 1, second_lower.data(), lower.data(), middle.data(), upper.data(), second_upper.data()},
      0, x.data(), 0, exchange);
  Numbers again(5);
  const auto at = [&](std::size_t i) { return i < 5 ? x[i] : 0; };
  for (std::size_t i = 0; i < 5; ++i) {
    again[i] = second_lower[i] * at(i - 2) + lower[i] * at(i - 1) + middle[i] * x[i] + upper[i] * at(i + 1) +
               second_upper[i] * at(i + 2);
  }
  require_near(again, right);
}

TEST_CASE("What is made sparse and dense again has not changed") {
  Sample a(6, 8, 11);
  std::vector<std::int64_t> offsets(9), indices(a.values.size());
  Numbers values(a.values.size()), again(48);
  SparseMatrix csc = a.matrix();
  csc.format = SparseFormat::csc;
  csc.outer = offsets.data();
  csc.inner = indices.data();
  csc.values = values.data();
  csc.outer_is_64 = csc.inner_is_64 = true;
  csc.base = 1;
  const DenseMatrix dense = dense_matrix(6, 8, a.dense);
  csc.entries = count_entries(dense);
  put_offsets(dense, csc);
  to_sparse(dense, csc);
  REQUIRE(!find_outside(csc).has_value());
  to_dense(csc, dense_matrix(6, 8, again));
  REQUIRE(again == a.dense);
}

TEST_CASE("The first index or offset outside of its matrix is found") {
  Sample a(3, 4, 3, 1);
  REQUIRE(!find_outside(a.matrix()).has_value());
  a.indices[2] = 4;
  const auto wrong = find_outside(a.matrix());
  REQUIRE(wrong.has_value());
  REQUIRE((wrong->position == 2 && wrong->index == 4 && wrong->least == 0 && wrong->most == 3));
  REQUIRE(wrong->at == &a.indices[2]);
  a.offsets[1] = -1;
  REQUIRE(find_outside(a.matrix())->at == &a.offsets[1]);
}
