// SPDX-License-Identifier: Apache-2.0
// Products of sparse with dense matrices and vectors, and those whose result is sparse. Of an operand that is read by
// index all counts as read.
#include "cuda_libraries/cusparse/operation.hpp"

namespace warpfiber::cuda_libraries {
namespace {

using numerics::DenseMatrix;
using numerics::MatrixUse;
using numerics::Scalar;
using numerics::SparseFormat;
using numerics::SparseMatrix;

/// c = alpha * use_a(a) * use_b(b) + beta * c.
struct SparseProduct {
  const cusparseSpMatDescr* a;
  cusparseOperation_t use_a;
  DenseMatrix b;
  cudaDataType b_type;
  cusparseOperation_t use_b;
  DenseMatrix c;
  cudaDataType c_type;
  const void* alpha;
  const void* beta;
  cudaDataType compute_type;
};

bool is_half(cudaDataType type) {
  return type == CUDA_R_16F || type == CUDA_R_16BF;
}

/// Operands of one type, or halves whose products are added in float.
bool types_are_modelled(cudaDataType a, cudaDataType b, cudaDataType c, cudaDataType compute) {
  if (a != b || !value_kind_of(compute).has_value() || !value_kind_of(a).has_value()) return false;
  if (is_half(a)) return compute == CUDA_R_32F && (c == a || c == CUDA_R_32F);
  return a == compute && c == compute;
}

void check_batches(SparseOperation& operation, int a, int b, int c) {
  operation.refuse_unless(a == c && b == c, ReasonKind::sparse_batches_differ);
}

void check_conjugates(SparseOperation& operation, cusparseOperation_t use_a, cusparseOperation_t use_b,
                      numerics::NumberKind kind) {
  const auto conjugates = CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE;
  operation.refuse_unless((use_a != conjugates && use_b != conjugates) || is_complex(kind),
                          ReasonKind::sparse_no_conjugates);
}

/// Checks all but what an algorithm asks for, and collects the accesses of a product of these factors.
void take_product(SparseOperation& operation, const SparseProduct& product, Scalar& alpha, Scalar& beta) {
  operation.need(product.a, product.alpha, product.beta);
  if (operation.failed()) return;
  operation.refuse_unless(exists(product.use_a) && exists(product.use_b) && is_type(product.compute_type),
                          ReasonKind::sparse_choice_unknown);
  const SparseMatrix& a = product.a->matrix;
  const UsedSize left = used_size(a, product.use_a), right = used_size(product.b, product.use_b);
  operation.refuse_unless(
      left.columns == right.rows && left.rows == product.c.rows && right.columns == product.c.columns,
      ReasonKind::sparse_sizes_differ);
  check_batches(operation, a.batch, product.b.batch, product.c.batch);
  check_conjugates(operation, product.use_a, product.use_b, a.kind);
  operation.support(a.format != SparseFormat::bsr || product.use_a == CUSPARSE_OPERATION_NON_TRANSPOSE,
                    ReasonKind::sparse_operation_not_plain);
  operation.support(types_are_modelled(product.a->type, product.b_type, product.c_type, product.compute_type),
                    ReasonKind::sparse_types_not_modelled);
  alpha = operation.scalar(product.alpha, product.compute_type);
  beta = operation.scalar(product.beta, product.compute_type);
  if (operation.failed()) return;
  operation.reads(a);
  operation.dense(false, product.b);
  // An operand that is multiplied by 0 is not read.
  if (beta.counts()) operation.dense(false, product.c);
  operation.dense(true, product.c);
}

SparseResult multiply(SparseOperation& operation, const SparseProduct& product) {
  Scalar alpha, beta;
  take_product(operation, product, alpha, beta);
  if (operation.failed()) return operation.result();
  return operation.submit([a = product.a->matrix, b = product.b, c = product.c, alpha, beta,
                           use_a = use_of(product.use_a),
                           use_b = use_of(product.use_b)] { numerics::multiply(a, use_a, b, use_b, c, alpha, beta); });
}

SparseResult check(SparseOperation& operation, const SparseProduct& product) {
  Scalar alpha, beta;
  take_product(operation, product, alpha, beta);
  return operation.result();
}

constexpr ReasonKind kOtherFormat = ReasonKind::sparse_algorithm_of_other_format;

bool is_compressed(SparseFormat format) {
  return format == SparseFormat::csr || format == SparseFormat::csc;
}

/// Whether the algorithm is for matrices of that format.
bool takes(cusparseSpMVAlg_t algorithm, SparseFormat format) {
  switch (algorithm) {
    case CUSPARSE_SPMV_COO_ALG1:
    case CUSPARSE_SPMV_COO_ALG2: return format == SparseFormat::coo;
    case CUSPARSE_SPMV_CSR_ALG1:
    case CUSPARSE_SPMV_CSR_ALG2: return is_compressed(format);
    case CUSPARSE_SPMV_SELL_ALG1: return format == SparseFormat::sliced_ell;
    case CUSPARSE_SPMV_BSR_ALG1: return format == SparseFormat::bsr;
    case CUSPARSE_SPMV_ALG_DEFAULT: return true;
  }
  return false;
}

bool takes(cusparseSpMMAlg_t algorithm, SparseFormat format) {
  switch (algorithm) {
    case CUSPARSE_SPMM_COO_ALG1:
    case CUSPARSE_SPMM_COO_ALG2:
    case CUSPARSE_SPMM_COO_ALG3:
    case CUSPARSE_SPMM_COO_ALG4: return format == SparseFormat::coo;
    case CUSPARSE_SPMM_CSR_ALG1:
    case CUSPARSE_SPMM_CSR_ALG2: return is_compressed(format);
    case CUSPARSE_SPMM_CSR_ALG3: return format == SparseFormat::csr;
    case CUSPARSE_SPMM_BLOCKED_ELL_ALG1: return format == SparseFormat::blocked_ell;
    case CUSPARSE_SPMM_BSR_ALG1: return format == SparseFormat::bsr;
    case CUSPARSE_SPMM_ALG_DEFAULT: return true;
  }
  return false;
}

/// The product of a matrix and a vector, and what is to be done with it.
template <class Use>
cusparseStatus_t with_vectors(const char* function, cusparseContext* handle, cusparseOperation_t use_a,
                              const void* alpha, const cusparseSpMatDescr* a, const cusparseDnVecDescr* x,
                              const void* beta, const cusparseDnVecDescr* y, cudaDataType type,
                              cusparseSpMVAlg_t algorithm, Use use,
                              const void* returns_to = __builtin_return_address(0)) {
  return sparse_operation(
      function, handle,
      [&](SparseOperation& operation) -> SparseResult {
        operation.need(a, x, y);
        if (operation.failed()) return operation.result();
        operation.support(a->matrix.format != SparseFormat::blocked_ell, ReasonKind::sparse_format_not_taken);
        operation.refuse_unless(takes(algorithm, a->matrix.format), kOtherFormat);
        return use(operation, SparseProduct{a, use_a, x->vector, x->type, CUSPARSE_OPERATION_NON_TRANSPOSE, y->vector,
                                            y->type, alpha, beta, type});
      },
      returns_to);
}

template <class Use>
cusparseStatus_t with_matrices(const char* function, cusparseContext* handle, cusparseOperation_t use_a,
                               cusparseOperation_t use_b, const void* alpha, const cusparseSpMatDescr* a,
                               const cusparseDnMatDescr* b, const void* beta, const cusparseDnMatDescr* c,
                               cudaDataType type, cusparseSpMMAlg_t algorithm, Use use,
                               const void* returns_to = __builtin_return_address(0)) {
  return sparse_operation(
      function, handle,
      [&](SparseOperation& operation) -> SparseResult {
        operation.need(a, b, c);
        if (operation.failed()) return operation.result();
        const SparseMatrix& matrix = a->matrix;
        operation.support(
            matrix.format != SparseFormat::sliced_ell && (matrix.format != SparseFormat::bsr || matrix.block_by_row),
            ReasonKind::sparse_format_not_taken);
        operation.refuse_unless(takes(algorithm, matrix.format), kOtherFormat);
        return use(operation,
                   SparseProduct{a, use_a, b->matrix, b->type, use_b, c->matrix, c->type, alpha, beta, type});
      },
      returns_to);
}

/// Entries of c = alpha * use_a(a) * use_b(b) + beta * c.
struct SampledProduct {
  const cusparseDnMatDescr* a;
  cusparseOperation_t use_a;
  const cusparseDnMatDescr* b;
  cusparseOperation_t use_b;
  cusparseSpMatDescr* c;
  const void* alpha;
  const void* beta;
  cudaDataType compute_type;
};

void take_sampled(SparseOperation& operation, const SampledProduct& product, Scalar& alpha, Scalar& beta) {
  operation.need(product.a, product.b, product.c, product.alpha, product.beta);
  if (operation.failed()) return;
  const SparseMatrix& c = product.c->matrix;
  check_conjugates(operation, product.use_a, product.use_b, c.kind);
  const UsedSize left = used_size(product.a->matrix, product.use_a),
                 right = used_size(product.b->matrix, product.use_b);
  operation.refuse_unless(left.columns == right.rows && left.rows == c.rows && right.columns == c.columns,
                          ReasonKind::sparse_sizes_differ);
  check_batches(operation, product.a->matrix.batch, product.b->matrix.batch, c.batch);
  operation.support(c.format == SparseFormat::csr || (c.format == SparseFormat::bsr && c.block_rows > 1),
                    ReasonKind::sparse_format_not_taken);
  operation.support(types_are_modelled(product.a->type, product.b->type, product.c->type, product.compute_type),
                    ReasonKind::sparse_types_not_modelled);
  alpha = operation.scalar(product.alpha, product.compute_type);
  beta = operation.scalar(product.beta, product.compute_type);
  if (operation.failed()) return;
  operation.dense(false, product.a->matrix);
  operation.dense(false, product.b->matrix);
  operation.reads_indices(c);
  if (beta.counts()) operation.values(false, c);
  operation.values(true, c);
}

SparseResult check_sampled(SparseOperation& operation, const SampledProduct& product) {
  Scalar alpha, beta;
  take_sampled(operation, product, alpha, beta);
  return operation.result();
}

SparseResult multiply_sampled(SparseOperation& operation, const SampledProduct& product) {
  Scalar alpha, beta;
  take_sampled(operation, product, alpha, beta);
  if (operation.failed()) return operation.result();
  return operation.submit(
      [a = product.a->matrix, b = product.b->matrix, c = product.c->matrix, alpha, beta, use_a = use_of(product.use_a),
       use_b = use_of(product.use_b)] { numerics::multiply_sampled(a, use_a, b, use_b, c, alpha, beta); });
}

}  // namespace
}  // namespace warpfiber::cuda_libraries

using namespace warpfiber::cuda_libraries;

extern "C" {

cusparseStatus_t cusparseSpMV(cusparseHandle_t handle, cusparseOperation_t operation, const void* alpha,
                              cusparseConstSpMatDescr_t a, cusparseConstDnVecDescr_t x, const void* beta,
                              cusparseDnVecDescr_t y, cudaDataType type, cusparseSpMVAlg_t algorithm, void*) {
  return with_vectors(__func__, handle, operation, alpha, a, x, beta, y, type, algorithm, multiply);
}
cusparseStatus_t cusparseSpMV_preprocess(cusparseHandle_t handle, cusparseOperation_t operation, const void* alpha,
                                         cusparseConstSpMatDescr_t a, cusparseConstDnVecDescr_t x, const void* beta,
                                         cusparseDnVecDescr_t y, cudaDataType type, cusparseSpMVAlg_t algorithm,
                                         void*) {
  return with_vectors(__func__, handle, operation, alpha, a, x, beta, y, type, algorithm, check);
}
cusparseStatus_t cusparseSpMV_bufferSize(cusparseHandle_t handle, cusparseOperation_t operation, const void* alpha,
                                         cusparseConstSpMatDescr_t a, cusparseConstDnVecDescr_t x, const void* beta,
                                         cusparseDnVecDescr_t y, cudaDataType type, cusparseSpMVAlg_t algorithm,
                                         size_t* size) {
  return with_vectors(__func__, handle, operation, alpha, a, x, beta, y, type, algorithm,
                      [size](SparseOperation& of, const SparseProduct& product) {
                        check(of, product);
                        return put_buffer_size(of, size);
                      });
}
cusparseStatus_t cusparseSpMM(cusparseHandle_t handle, cusparseOperation_t use_a, cusparseOperation_t use_b,
                              const void* alpha, cusparseConstSpMatDescr_t a, cusparseConstDnMatDescr_t b,
                              const void* beta, cusparseDnMatDescr_t c, cudaDataType type, cusparseSpMMAlg_t algorithm,
                              void*) {
  return with_matrices(__func__, handle, use_a, use_b, alpha, a, b, beta, c, type, algorithm, multiply);
}
cusparseStatus_t cusparseSpMM_preprocess(cusparseHandle_t handle, cusparseOperation_t use_a, cusparseOperation_t use_b,
                                         const void* alpha, cusparseConstSpMatDescr_t a, cusparseConstDnMatDescr_t b,
                                         const void* beta, cusparseDnMatDescr_t c, cudaDataType type,
                                         cusparseSpMMAlg_t algorithm, void*) {
  return with_matrices(__func__, handle, use_a, use_b, alpha, a, b, beta, c, type, algorithm, check);
}
cusparseStatus_t cusparseSpMM_bufferSize(cusparseHandle_t handle, cusparseOperation_t use_a, cusparseOperation_t use_b,
                                         const void* alpha, cusparseConstSpMatDescr_t a, cusparseConstDnMatDescr_t b,
                                         const void* beta, cusparseDnMatDescr_t c, cudaDataType type,
                                         cusparseSpMMAlg_t algorithm, size_t* size) {
  return with_matrices(__func__, handle, use_a, use_b, alpha, a, b, beta, c, type, algorithm,
                       [size](SparseOperation& of, const SparseProduct& product) {
                         check(of, product);
                         return put_buffer_size(of, size);
                       });
}

cusparseStatus_t cusparseSDDMM_bufferSize(cusparseHandle_t handle, cusparseOperation_t use_a, cusparseOperation_t use_b,
                                          const void* alpha, cusparseConstDnMatDescr_t a, cusparseConstDnMatDescr_t b,
                                          const void* beta, cusparseSpMatDescr_t c, cudaDataType type,
                                          cusparseSDDMMAlg_t, size_t* size) {
  return sparse_operation(__func__, handle, [&](SparseOperation& operation) {
    check_sampled(operation, {a, use_a, b, use_b, c, alpha, beta, type});
    return put_buffer_size(operation, size);
  });
}
cusparseStatus_t cusparseSDDMM_preprocess(cusparseHandle_t handle, cusparseOperation_t use_a, cusparseOperation_t use_b,
                                          const void* alpha, cusparseConstDnMatDescr_t a, cusparseConstDnMatDescr_t b,
                                          const void* beta, cusparseSpMatDescr_t c, cudaDataType type,
                                          cusparseSDDMMAlg_t, void*) {
  return sparse_operation(__func__, handle, [&](SparseOperation& operation) {
    return check_sampled(operation, {a, use_a, b, use_b, c, alpha, beta, type});
  });
}
cusparseStatus_t cusparseSDDMM(cusparseHandle_t handle, cusparseOperation_t use_a, cusparseOperation_t use_b,
                               const void* alpha, cusparseConstDnMatDescr_t a, cusparseConstDnMatDescr_t b,
                               const void* beta, cusparseSpMatDescr_t c, cudaDataType type, cusparseSDDMMAlg_t, void*) {
  return sparse_operation(__func__, handle, [&](SparseOperation& operation) {
    return multiply_sampled(operation, {a, use_a, b, use_b, c, alpha, beta, type});
  });
}

}  // extern "C"
