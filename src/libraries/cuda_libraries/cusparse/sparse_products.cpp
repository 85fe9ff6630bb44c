// SPDX-License-Identifier: Apache-2.0
// Products of two sparse matrices. What one call finds out for the next is kept in the descriptor; the program's
// buffers are not used. The count of the result's entries is known when the call returns that counts them.
#include "cuda_libraries/cusparse/operation.hpp"
#include "numerics/sparse/products.hpp"

namespace warpfiber::cuda_libraries {
namespace {

using device_memory::Wait;
using numerics::ProductPattern;
using numerics::Scalar;
using numerics::SparseFormat;
using numerics::SparseMatrix;

/// The matrices of c = alpha * a * b + beta * c.
struct SparseOperands {
  cusparseOperation_t use_a;
  cusparseOperation_t use_b;
  const cusparseSpMatDescr* a;
  const cusparseSpMatDescr* b;
  cusparseSpMatDescr* c;
  cusparseSpGEMMDescr* descr;
};

void check_operands(SparseOperation& operation, const SparseOperands& of) {
  operation.need(of.a, of.b, of.c, of.descr);
  if (operation.failed()) return;
  const SparseMatrix &a = of.a->matrix, &b = of.b->matrix, &c = of.c->matrix;
  const auto is_csr = [](const SparseMatrix& matrix) { return matrix.format == SparseFormat::csr; };
  const auto plain = CUSPARSE_OPERATION_NON_TRANSPOSE;
  operation.support(of.use_a == plain && of.use_b == plain, ReasonKind::sparse_operation_not_plain);
  operation.support(is_csr(a) && is_csr(b) && is_csr(c), ReasonKind::sparse_format_not_csr);
  operation.refuse_unless(a.columns == b.rows && a.rows == c.rows && b.columns == c.columns,
                          ReasonKind::sparse_sizes_differ);
  operation.support(of.a->type == of.b->type && of.a->type == of.c->type && value_kind_of(of.a->type).has_value(),
                    ReasonKind::sparse_types_not_modelled);
}

struct ProductFactors {
  const void* alpha;
  const void* beta;
  cudaDataType type;
};

/// Checks that the types go together, and takes the factors; beta is not read yet.
void check_factors(SparseOperation& operation, const SparseOperands& of, const ProductFactors& factors) {
  operation.need(factors.alpha, factors.beta);
  if (operation.failed()) return;
  operation.support(factors.type == of.a->type, ReasonKind::sparse_types_not_modelled);
}

/// Writes the size of a buffer where there is none yet; false: the call has a buffer, and does its work.
bool asks_for_size(SparseOperation& operation, std::size_t* size, const void* buffer) {
  operation.need(size);
  if (operation.failed()) return true;
  if (buffer == nullptr) *size = kBufferBytes;
  return buffer == nullptr;
}

SparseResult count_products(SparseOperation& operation, const SparseOperands& of) {
  operation.reads_indices(of.a->matrix);
  operation.reads_indices(of.b->matrix);
  return operation.submit(
      [of, a = of.a->matrix, b = of.b->matrix] { of.descr->products = numerics::products_in_product(a, b); },
      Wait::unpromised);
}

SparseResult find_pattern(SparseOperation& operation, const SparseOperands& of) {
  operation.reads_indices(of.a->matrix);
  operation.reads_indices(of.b->matrix);
  auto pattern = std::make_shared<ProductPattern>();
  SparseResult result =
      operation.submit([pattern, a = of.a->matrix, b = of.b->matrix] { *pattern = numerics::pattern_of_product(a, b); },
                       Wait::unpromised);
  if (result.failed()) return result;
  of.descr->pattern = pattern;
  of.c->matrix.entries = pattern->entries();
  return result;
}

void put_pattern(const ProductPattern& pattern, const SparseMatrix& c) {
  std::int64_t i = 0;
  for (const std::int64_t offset : pattern.offsets) c.put_outer(i++, offset);
  i = 0;
  for (const std::int64_t column : pattern.columns) c.put_inner(i++, column);
}

void write_pattern(SparseOperation& operation, const SparseMatrix& c) {
  operation.line(true, c.outer, c.outer_count(), c.outer_bytes());
  operation.line(true, c.inner, c.inner_count(), c.inner_bytes());
}

SparseResult work_estimation(SparseOperation& operation, const SparseOperands& of, const ProductFactors& factors,
                             std::size_t* size, const void* buffer) {
  check_operands(operation, of);
  check_factors(operation, of, factors);
  if (asks_for_size(operation, size, buffer)) return operation.result();
  return count_products(operation, of);
}

SparseResult compute_product(SparseOperation& operation, const SparseOperands& of, const ProductFactors& factors,
                             std::size_t* size, const void* buffer) {
  check_operands(operation, of);
  check_factors(operation, of, factors);
  if (asks_for_size(operation, size, buffer)) return operation.result();
  const Scalar alpha = operation.scalar(factors.alpha, factors.type);
  const SparseMatrix &a = of.a->matrix, &b = of.b->matrix;
  operation.reads(a);
  operation.reads(b);
  auto pattern = std::make_shared<ProductPattern>();
  auto values = std::make_shared<std::vector<numerics::WideNumber>>();
  const auto work = [=] {
    *pattern = numerics::pattern_of_product(a, b);
    *values = numerics::values_of_product(a, b, *pattern, alpha);
  };
  SparseResult result = operation.submit(work, Wait::unpromised);
  if (result.failed()) return result;
  of.descr->pattern = pattern;
  of.descr->values = values;
  of.c->matrix.entries = pattern->entries();
  return result;
}

SparseResult copy_product(SparseOperation& operation, const SparseOperands& of, const ProductFactors& factors) {
  check_operands(operation, of);
  check_factors(operation, of, factors);
  operation.refuse_unless(operation.failed() || of.descr->values != nullptr,
                          {ReasonKind::sparse_call_missing, "cusparseSpGEMM_compute"});
  if (operation.failed()) return operation.result();
  const Scalar beta = operation.scalar(factors.beta, factors.type);
  const SparseMatrix& c = of.c->matrix;
  write_pattern(operation, c);
  if (beta.counts()) operation.values(false, c);
  operation.values(true, c);
  return operation.submit([c, beta, pattern = of.descr->pattern, values = of.descr->values] {
    put_pattern(*pattern, c);
    numerics::put_product_values(*values, beta, c);
  });
}

SparseResult compute_again(SparseOperation& operation, const SparseOperands& of, const ProductFactors& factors) {
  check_operands(operation, of);
  check_factors(operation, of, factors);
  operation.refuse_unless(operation.failed() || of.descr->pattern != nullptr,
                          {ReasonKind::sparse_call_missing, "cusparseSpGEMMreuse_nnz"});
  if (operation.failed()) return operation.result();
  const Scalar alpha = operation.scalar(factors.alpha, factors.type);
  const Scalar beta = operation.scalar(factors.beta, factors.type);
  const SparseMatrix &a = of.a->matrix, &b = of.b->matrix, &c = of.c->matrix;
  operation.reads(a);
  operation.reads(b);
  if (beta.counts()) operation.values(false, c);
  operation.values(true, c);
  return operation.submit([=, pattern = of.descr->pattern] {
    numerics::put_product_values(numerics::values_of_product(a, b, *pattern, alpha), beta, c);
  });
}

}  // namespace
}  // namespace warpfiber::cuda_libraries

using namespace warpfiber::cuda_libraries;

extern "C" {

cusparseStatus_t cusparseSpGEMM_workEstimation(cusparseHandle_t handle, cusparseOperation_t use_a,
                                               cusparseOperation_t use_b, const void* alpha,
                                               cusparseConstSpMatDescr_t a, cusparseConstSpMatDescr_t b,
                                               const void* beta, cusparseSpMatDescr_t c, cudaDataType type,
                                               cusparseSpGEMMAlg_t, cusparseSpGEMMDescr_t descr, size_t* size,
                                               void* buffer) {
  return sparse_operation(__func__, handle, [&](SparseOperation& operation) {
    return work_estimation(operation, {use_a, use_b, a, b, c, descr}, {alpha, beta, type}, size, buffer);
  });
}
cusparseStatus_t cusparseSpGEMM_getNumProducts(cusparseSpGEMMDescr_t descr, int64_t* products) {
  return sparse_call(__func__, [&] { return put(descr, products, [](const auto& of) { return of.products; }); });
}
cusparseStatus_t cusparseSpGEMM_estimateMemory(cusparseHandle_t handle, cusparseOperation_t use_a,
                                               cusparseOperation_t use_b, const void* alpha,
                                               cusparseConstSpMatDescr_t a, cusparseConstSpMatDescr_t b,
                                               const void* beta, cusparseSpMatDescr_t c, cudaDataType type,
                                               cusparseSpGEMMAlg_t alg, cusparseSpGEMMDescr_t descr, float,
                                               size_t* size3, void* buffer3, size_t* size2) {
  return sparse_operation(__func__, handle, [&](SparseOperation& operation) {
    const SparseOperands of{use_a, use_b, a, b, c, descr};
    check_operands(operation, of);
    check_factors(operation, of, {alpha, beta, type});
    operation.support(alg == CUSPARSE_SPGEMM_ALG2 || alg == CUSPARSE_SPGEMM_ALG3, ReasonKind::sparse_algorithm_unknown);
    if (asks_for_size(operation, size3, buffer3)) return operation.result();
    return put_buffer_size(operation, size2);
  });
}
cusparseStatus_t cusparseSpGEMM_compute(cusparseHandle_t handle, cusparseOperation_t use_a, cusparseOperation_t use_b,
                                        const void* alpha, cusparseConstSpMatDescr_t a, cusparseConstSpMatDescr_t b,
                                        const void* beta, cusparseSpMatDescr_t c, cudaDataType type,
                                        cusparseSpGEMMAlg_t, cusparseSpGEMMDescr_t descr, size_t* size, void* buffer) {
  return sparse_operation(__func__, handle, [&](SparseOperation& operation) {
    return compute_product(operation, {use_a, use_b, a, b, c, descr}, {alpha, beta, type}, size, buffer);
  });
}
cusparseStatus_t cusparseSpGEMM_copy(cusparseHandle_t handle, cusparseOperation_t use_a, cusparseOperation_t use_b,
                                     const void* alpha, cusparseConstSpMatDescr_t a, cusparseConstSpMatDescr_t b,
                                     const void* beta, cusparseSpMatDescr_t c, cudaDataType type, cusparseSpGEMMAlg_t,
                                     cusparseSpGEMMDescr_t descr) {
  return sparse_operation(__func__, handle, [&](SparseOperation& operation) {
    return copy_product(operation, {use_a, use_b, a, b, c, descr}, {alpha, beta, type});
  });
}

cusparseStatus_t cusparseSpGEMMreuse_workEstimation(cusparseHandle_t handle, cusparseOperation_t use_a,
                                                    cusparseOperation_t use_b, cusparseConstSpMatDescr_t a,
                                                    cusparseConstSpMatDescr_t b, cusparseSpMatDescr_t c,
                                                    cusparseSpGEMMAlg_t, cusparseSpGEMMDescr_t descr, size_t* size,
                                                    void* buffer) {
  return sparse_operation(__func__, handle, [&](SparseOperation& operation) {
    const SparseOperands of{use_a, use_b, a, b, c, descr};
    check_operands(operation, of);
    if (asks_for_size(operation, size, buffer)) return operation.result();
    return count_products(operation, of);
  });
}
cusparseStatus_t cusparseSpGEMMreuse_nnz(cusparseHandle_t handle, cusparseOperation_t use_a, cusparseOperation_t use_b,
                                         cusparseConstSpMatDescr_t a, cusparseConstSpMatDescr_t b,
                                         cusparseSpMatDescr_t c, cusparseSpGEMMAlg_t, cusparseSpGEMMDescr_t descr,
                                         size_t* size2, void* buffer2, size_t* size3, void* buffer3, size_t* size4,
                                         void* buffer4) {
  return sparse_operation(__func__, handle, [&](SparseOperation& operation) {
    const SparseOperands of{use_a, use_b, a, b, c, descr};
    check_operands(operation, of);
    const bool asks2 = asks_for_size(operation, size2, buffer2);
    const bool asks3 = asks_for_size(operation, size3, buffer3);
    const bool asks4 = asks_for_size(operation, size4, buffer4);
    if (operation.failed() || asks2 || asks3 || asks4) return operation.result();
    return find_pattern(operation, of);
  });
}
cusparseStatus_t cusparseSpGEMMreuse_copy(cusparseHandle_t handle, cusparseOperation_t use_a, cusparseOperation_t use_b,
                                          cusparseConstSpMatDescr_t a, cusparseConstSpMatDescr_t b,
                                          cusparseSpMatDescr_t c, cusparseSpGEMMAlg_t, cusparseSpGEMMDescr_t descr,
                                          size_t* size, void* buffer) {
  return sparse_operation(__func__, handle, [&](SparseOperation& operation) {
    const SparseOperands of{use_a, use_b, a, b, c, descr};
    check_operands(operation, of);
    if (asks_for_size(operation, size, buffer)) return operation.result();
    operation.refuse_unless(descr->pattern != nullptr, {ReasonKind::sparse_call_missing, "cusparseSpGEMMreuse_nnz"});
    write_pattern(operation, c->matrix);
    return operation.submit([to = c->matrix, pattern = descr->pattern] { put_pattern(*pattern, to); });
  });
}
cusparseStatus_t cusparseSpGEMMreuse_compute(cusparseHandle_t handle, cusparseOperation_t use_a,
                                             cusparseOperation_t use_b, const void* alpha, cusparseConstSpMatDescr_t a,
                                             cusparseConstSpMatDescr_t b, const void* beta, cusparseSpMatDescr_t c,
                                             cudaDataType type, cusparseSpGEMMAlg_t, cusparseSpGEMMDescr_t descr) {
  return sparse_operation(__func__, handle, [&](SparseOperation& operation) {
    return compute_again(operation, {use_a, use_b, a, b, c, descr}, {alpha, beta, type});
  });
}

}  // extern "C"
