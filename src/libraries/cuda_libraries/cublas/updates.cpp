// SPDX-License-Identifier: Apache-2.0
// Level 3 of cuBLAS: triangles of products of two matrices, syr2k and syrkx and those of hermitian ones.
#include <algorithm>

#include "cuda_libraries/cublas/arguments.hpp"
#include "dense/products.hpp"

namespace warpfiber::cuda_libraries {
namespace {

using dense::MatrixView;
using dense::Triangle;

/// C = alpha * A * B' + alpha' * B * A' + beta * C, or without the second product unless `two`.
struct UpdateShape {
  cublasFillMode_t part;
  cublasOperation_t trans;
  std::int64_t n, k;
  bool two, hermitian;
};

template <class T, class R>
CublasResult update(CublasOperation& operation, const UpdateShape& shape, const T* alpha, Stored<const T> a,
                    Stored<const T> b, const R* beta, Stored<T> c) {
  operation.choose("fill mode", shape.part, CUBLAS_FILL_MODE_UPPER);
  operation.choose("operation", shape.trans, CUBLAS_OP_C);
  operation.at_least("n", shape.n, 0);
  operation.at_least("k", shape.k, 0);
  const std::int64_t rows = std::max<std::int64_t>(1, shape.trans == CUBLAS_OP_N ? shape.n : shape.k);
  operation.at_least("lda", a.leading, rows);
  operation.at_least("ldb", b.leading, rows);
  operation.at_least("ldc", c.leading, std::max<std::int64_t>(1, shape.n));
  const Factor<T> by = operation.factor("alpha", alpha);
  const Factor<R> keeps = operation.factor("beta", beta);
  if (operation.failed() || shape.n == 0) return operation.result();
  operation.not_null("C", c.at);
  const Triangle triangle{shape.part == CUBLAS_FILL_MODE_UPPER};
  if (by.counts()) {
    operation.not_null("A", a.at);
    operation.not_null("B", b.at);
    operation.matrix("A", false, a.at, sizeof(T), stored_size(shape.n, shape.k, shape.trans), a.leading);
    operation.matrix("B", false, b.at, sizeof(T), stored_size(shape.n, shape.k, shape.trans), b.leading);
  }
  if (keeps.counts()) operation.triangle("C", false, c.at, shape.n, c.leading, triangle);
  operation.triangle("C", true, c.at, shape.n, c.leading, triangle);
  return operation.submit([=] {
    const bool hermitian = shape.hermitian;
    const cublasOperation_t trans = hermitian || shape.trans == CUBLAS_OP_N ? shape.trans : CUBLAS_OP_T;
    const MatrixView<const T> left = operand(a.at, a.leading, trans);
    const MatrixView<const T> right = operand(b.at, b.leading, trans);
    const auto turned = [hermitian](const MatrixView<const T>& matrix) {
      return hermitian ? matrix.transposed().conjugate_of() : matrix.transposed();
    };
    const T factor = by.value();
    dense::multiply_triangle<T>(shape.n, shape.k, factor, left, turned(right), T(keeps.value()), c.matrix(), triangle,
                                hermitian);
    if (!shape.two) return;
    dense::multiply_triangle<T>(shape.n, shape.k, hermitian ? dense::conjugate(factor) : factor, right, turned(left),
                                T(1), c.matrix(), triangle, hermitian);
  });
}

}  // namespace
}  // namespace warpfiber::cuda_libraries

using namespace warpfiber::cuda_libraries;

extern "C" {

#define WARPFIBER_UPDATE(function, T, R, two, hermitian, Int, wide)                                                   \
  cublasStatus_t cublas##function##wide(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, Int n, \
                                        Int k, const T* alpha, const T* A, Int lda, const T* B, Int ldb,              \
                                        const R* beta, T* C, Int ldc) {                                               \
    return cublas_operation(__func__, handle, [&](CublasOperation& operation) {                                       \
      return update(operation, {uplo, trans, n, k, two, hermitian}, numbers(alpha), stored(A, lda), stored(B, ldb),   \
                    numbers(beta), stored(C, ldc));                                                                   \
    });                                                                                                               \
  }

WARPFIBER_CUBLAS_UPDATES(WARPFIBER_UPDATE)

}  // extern "C"

#undef WARPFIBER_UPDATE
