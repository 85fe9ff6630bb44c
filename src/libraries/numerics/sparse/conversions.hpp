// SPDX-License-Identifier: Apache-2.0
// Other forms of matrices: dense to sparse and back, other orders of entries, sums of sparse matrices.
#pragma once

#include <cstdint>

#include "numerics/sparse/sparse_matrix.hpp"

namespace warpfiber::numerics {

/// How many numbers of the dense matrix are not zero.
std::int64_t count_entries(const DenseMatrix& dense);

/// Writes the offsets of a csr or csc matrix for the numbers that are not zero.
void put_offsets(const DenseMatrix& dense, const SparseMatrix& sparse);

/// Writes indices and values of the numbers that are not zero; of blocked_ell the values of the blocks that it names.
void to_sparse(const DenseMatrix& dense, const SparseMatrix& sparse);

/// Writes all of the dense matrix.
void to_dense(const SparseMatrix& sparse, const DenseMatrix& dense);

/// From csr to csc; `sparse` and `result` are of one size. Values are left out where the result has none.
void to_columns(const SparseMatrix& sparse, const SparseMatrix& result);

/// Row indices of a csr matrix' entries, and the offsets for row indices that ascend.
void expand_offsets(const SparseMatrix& rows, std::int32_t* indices);
void compress_indices(const std::int32_t* indices, std::int64_t count, std::int64_t rows, std::int64_t base,
                      std::int32_t* offsets);

/// Sorts `count` pairs by `first`, then by `second`; pairs that are equal stay in order. `order`, unless it is null, is
/// permuted likewise.
void sort_pairs(std::int64_t count, std::int32_t* first, std::int32_t* second, std::int32_t* order);

/// Sorts the indices of each line, which `offsets` delimit; without `base`, as `order` too.
void sort_lines(std::int64_t lines, const std::int32_t* offsets, std::int32_t base, std::int32_t* indices,
                std::int32_t* order);

/// Offsets of alpha * a + beta * b, and the count of its entries. The columns of each row ascend.
std::int64_t put_offsets_of_sum(const SparseMatrix& a, const SparseMatrix& b, const SparseMatrix& sum);
void put_sum(const SparseMatrix& a, const Scalar& alpha, const SparseMatrix& b, const Scalar& beta,
             const SparseMatrix& sum);

/// Numbers that are not zero in each row or column.
void count_by_line(const DenseMatrix& dense, bool by_row, std::int32_t* counts);

}  // namespace warpfiber::numerics
