// SPDX-License-Identifier: Apache-2.0
// Products of sparse matrices with dense and sparse ones. Sums are added in double precision, in the order of the
// entries.
#pragma once

#include <complex>
#include <cstdint>
#include <vector>

#include "numerics/sparse/sparse_matrix.hpp"

namespace warpfiber::numerics {

/// c = alpha * use_a(a) * use_b(b) + beta * c, for each of the batch. `c` is not read where `beta` is 0.
void multiply(const SparseMatrix& a, MatrixUse use_a, const DenseMatrix& b, MatrixUse use_b, const DenseMatrix& c,
              const Scalar& alpha, const Scalar& beta);

/// The entries of `c` = alpha * (use_a(a) * use_b(b) at the place of the entry) + beta * the entry, for each of the
/// batch.
void multiply_sampled(const DenseMatrix& a, MatrixUse use_a, const DenseMatrix& b, MatrixUse use_b,
                      const SparseMatrix& c, const Scalar& alpha, const Scalar& beta);

/// Where the entries of a product of two sparse matrices are, row by row and in each row by column. An entry whose sum
/// is 0 is there too.
struct ProductPattern {
  std::vector<std::int64_t> offsets{0};
  std::vector<std::int64_t> columns{};

  [[nodiscard]] std::int64_t entries() const { return static_cast<std::int64_t>(columns.size()); }
};

ProductPattern pattern_of_product(const SparseMatrix& a, const SparseMatrix& b);

/// How many products of two entries the product of the matrices has.
std::int64_t products_in_product(const SparseMatrix& a, const SparseMatrix& b);

/// The values of alpha * a * b, one for each entry of the pattern.
std::vector<WideNumber> values_of_product(const SparseMatrix& a, const SparseMatrix& b, const ProductPattern& pattern,
                                          const Scalar& alpha);

/// c's values = `values` + beta times what they are.
void put_product_values(const std::vector<WideNumber>& values, const Scalar& beta, const SparseMatrix& c);

}  // namespace warpfiber::numerics
