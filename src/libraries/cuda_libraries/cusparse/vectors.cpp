// SPDX-License-Identifier: Apache-2.0
// Sparse vectors with dense ones.
#include "numerics/sparse/vectors.hpp"

#include "cuda_libraries/cusparse/operation.hpp"

namespace warpfiber::cuda_libraries {
namespace {

using device_memory::Wait;
using numerics::Scalar;

void check_vectors(SparseOperation& operation, const cusparseSpVecDescr* x, const cusparseDnVecDescr* y) {
  operation.need(x, y);
  if (operation.failed()) return;
  operation.refuse_unless(x->vector.size == y->vector.rows, ReasonKind::sparse_sizes_differ);
  operation.support(x->type == y->type && value_kind_of(x->type).has_value(), ReasonKind::sparse_types_not_modelled);
}

void check_dot(SparseOperation& operation, cusparseOperation_t use, const cusparseSpVecDescr* x,
               const cusparseDnVecDescr* y, const void* result, cudaDataType type) {
  check_vectors(operation, x, y);
  operation.need(result);
  if (operation.failed()) return;
  const bool conjugates = use == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE;
  operation.refuse_unless(use == CUSPARSE_OPERATION_NON_TRANSPOSE ||
                              (conjugates && value_kind_of(x->type).has_value() && is_complex(*value_kind_of(x->type))),
                          ReasonKind::sparse_dot_operation);
  const bool is_half = x->type == CUDA_R_16F || x->type == CUDA_R_16BF;
  operation.support(type == x->type || (is_half && type == CUDA_R_32F), ReasonKind::sparse_types_not_modelled);
}

SparseResult dot(SparseOperation& operation, cusparseOperation_t use, const cusparseSpVecDescr* x,
                 const cusparseDnVecDescr* y, void* result, cudaDataType type) {
  check_dot(operation, use, x, y, result, type);
  if (operation.failed()) return operation.result();
  const numerics::NumberKind kind = *value_kind_of(type);
  operation.sparse_vector(false, x->vector);
  operation.dense(false, y->vector);
  operation.result_at("result", result, bytes_of(kind));
  const bool conjugated = use == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE;
  return operation.submit([=, from = x->vector, to = y->vector] { numerics::dot(from, to, conjugated, kind, result); },
                          operation.is_on_device() ? Wait::no : Wait::yes);
}

}  // namespace
}  // namespace warpfiber::cuda_libraries

using namespace warpfiber;
using namespace warpfiber::cuda_libraries;

extern "C" {

cusparseStatus_t cusparseSpVV_bufferSize(cusparseHandle_t handle, cusparseOperation_t use, cusparseConstSpVecDescr_t x,
                                         cusparseConstDnVecDescr_t y, const void* result, cudaDataType type,
                                         size_t* size) {
  return sparse_operation(__func__, handle, [&](SparseOperation& operation) {
    check_dot(operation, use, x, y, result, type);
    return put_buffer_size(operation, size);
  });
}
cusparseStatus_t cusparseSpVV(cusparseHandle_t handle, cusparseOperation_t use, cusparseConstSpVecDescr_t x,
                              cusparseConstDnVecDescr_t y, void* result, cudaDataType type, void*) {
  return sparse_operation(__func__, handle,
                          [&](SparseOperation& operation) { return dot(operation, use, x, y, result, type); });
}
cusparseStatus_t cusparseAxpby(cusparseHandle_t handle, const void* alpha, cusparseConstSpVecDescr_t x,
                               const void* beta, cusparseDnVecDescr_t y) {
  return sparse_operation(__func__, handle, [&](SparseOperation& operation) {
    check_vectors(operation, x, y);
    if (operation.failed()) return operation.result();
    const Scalar by = operation.scalar(alpha, x->type), kept = operation.scalar(beta, x->type);
    operation.sparse_vector(false, x->vector);
    if (kept.counts()) operation.dense(false, y->vector);
    operation.dense(true, y->vector);
    return operation.submit([by, kept, from = x->vector, to = y->vector] { numerics::add_scaled(by, from, kept, to); });
  });
}
cusparseStatus_t cusparseGather(cusparseHandle_t handle, cusparseConstDnVecDescr_t y, cusparseSpVecDescr_t x) {
  return sparse_operation(__func__, handle, [&](SparseOperation& operation) {
    check_vectors(operation, x, y);
    if (operation.failed()) return operation.result();
    operation.dense(false, y->vector);
    operation.sparse_vector(true, x->vector);
    return operation.submit([from = y->vector, to = x->vector] { numerics::gather(from, to); });
  });
}
cusparseStatus_t cusparseScatter(cusparseHandle_t handle, cusparseConstSpVecDescr_t x, cusparseDnVecDescr_t y) {
  return sparse_operation(__func__, handle, [&](SparseOperation& operation) {
    check_vectors(operation, x, y);
    if (operation.failed()) return operation.result();
    operation.sparse_vector(false, x->vector);
    operation.dense(true, y->vector);
    return operation.submit([from = x->vector, to = y->vector] { numerics::scatter(from, to); });
  });
}
cusparseStatus_t cusparseRot(cusparseHandle_t handle, const void* c, const void* s, cusparseSpVecDescr_t x,
                             cusparseDnVecDescr_t y) {
  return sparse_operation(__func__, handle, [&](SparseOperation& operation) {
    check_vectors(operation, x, y);
    if (operation.failed()) return operation.result();
    const Scalar cosine = operation.scalar(c, x->type), sine = operation.scalar(s, x->type);
    operation.dense(false, y->vector);
    for (const bool writes : {false, true}) operation.sparse_vector(writes, x->vector);
    operation.dense(true, y->vector);
    return operation.submit(
        [cosine, sine, from = x->vector, to = y->vector] { numerics::rotate(cosine, sine, from, to); });
  });
}

}  // extern "C"
