// SPDX-License-Identifier: Apache-2.0
// Descriptors of dense matrices, dense vectors and sparse vectors.
#include "cuda_libraries/cusparse/descriptors.hpp"

namespace warpfiber::cuda_libraries {
namespace {

using numerics::DenseMatrix;
using numerics::NumberKind;
using numerics::SparseVector;

/// Of a type that is not modelled the operations say so; until then any will do.
NumberKind kind_or_any(cudaDataType type) {
  return value_kind_of(type).value_or(NumberKind::float32);
}

SparseResult create_dense_vector(cusparseDnVecDescr** result, std::int64_t size, const void* values,
                                 cudaDataType type) {
  if (size < 0) return invalid_value(ReasonKind::sparse_size_negative);
  if (!is_type(type)) return invalid_value(ReasonKind::sparse_choice_unknown);
  return create_object<cusparseStatus_t>(result,
                                         {{size, 1, size, false, const_cast<void*>(values), kind_or_any(type)}, type});
}

SparseResult create_dense_matrix(cusparseDnMatDescr** result, DenseMatrix matrix, cudaDataType type,
                                 cusparseOrder_t order) {
  matrix.by_row = order == CUSPARSE_ORDER_ROW;
  if (matrix.rows < 0 || matrix.columns < 0) return invalid_value(ReasonKind::sparse_size_negative);
  if (!exists(order) || !is_type(type)) return invalid_value(ReasonKind::sparse_choice_unknown);
  if (matrix.leading < (matrix.by_row ? matrix.columns : matrix.rows))
    return invalid_value(ReasonKind::sparse_leading_too_small);
  matrix.kind = kind_or_any(type);
  return create_object<cusparseStatus_t>(result, {matrix, type});
}

SparseResult create_sparse_vector(cusparseSpVecDescr** result, SparseVector vector, cusparseIndexType_t index,
                                  cudaDataType type) {
  if (vector.size < 0 || vector.entries < 0) return invalid_value(ReasonKind::sparse_size_negative);
  if (vector.entries > vector.size) return invalid_value(ReasonKind::sparse_too_many_entries);
  if (!exists(index) || !exists(static_cast<cusparseIndexBase_t>(vector.base)) || !is_type(type))
    return invalid_value(ReasonKind::sparse_choice_unknown);
  if (index != CUSPARSE_INDEX_32I && index != CUSPARSE_INDEX_64I)
    return {CUSPARSE_STATUS_NOT_SUPPORTED, ReasonKind::sparse_index_types};
  vector.is_64 = index == CUSPARSE_INDEX_64I;
  vector.kind = kind_or_any(type);
  return create_object<cusparseStatus_t>(result, {vector, type});
}

/// What cuSPARSE's function has for it, with a pointer to const or without.
template <class Pointer>
SparseResult get_vector(const cusparseDnVecDescr* vector, std::int64_t* size, Pointer* values, cudaDataType* type) {
  if (vector == nullptr || size == nullptr || values == nullptr || type == nullptr) return null_pointer();
  *size = vector->vector.rows;
  *values = vector->vector.values;
  *type = vector->type;
  return {};
}

template <class Pointer>
SparseResult get_matrix(const cusparseDnMatDescr* matrix, std::int64_t* rows, std::int64_t* columns,
                        std::int64_t* leading, Pointer* values, cudaDataType* type, cusparseOrder_t* order) {
  if (matrix == nullptr || rows == nullptr || columns == nullptr || leading == nullptr || values == nullptr ||
      type == nullptr || order == nullptr) {
    return null_pointer();
  }
  *rows = matrix->matrix.rows;
  *columns = matrix->matrix.columns;
  *leading = matrix->matrix.leading;
  *values = matrix->matrix.values;
  *type = matrix->type;
  *order = matrix->matrix.by_row ? CUSPARSE_ORDER_ROW : CUSPARSE_ORDER_COL;
  return {};
}

template <class Pointer>
SparseResult get_sparse_vector(const cusparseSpVecDescr* of, std::int64_t* size, std::int64_t* entries,
                               Pointer* indices, Pointer* values, cusparseIndexType_t* index, cusparseIndexBase_t* base,
                               cudaDataType* type) {
  if (of == nullptr || size == nullptr || entries == nullptr || indices == nullptr || values == nullptr ||
      index == nullptr || base == nullptr || type == nullptr) {
    return null_pointer();
  }
  *size = of->vector.size;
  *entries = of->vector.entries;
  *indices = const_cast<void*>(of->vector.indices);
  *values = const_cast<void*>(of->vector.values);
  *index = of->vector.is_64 ? CUSPARSE_INDEX_64I : CUSPARSE_INDEX_32I;
  *base = static_cast<cusparseIndexBase_t>(of->vector.base);
  *type = of->type;
  return {};
}

template <class Descriptor, class Member>
SparseResult set_values(Descriptor* descriptor, Member Descriptor::*member, void* values) {
  if (descriptor == nullptr) return null_pointer();
  (descriptor->*member).values = values;
  return {};
}

}  // namespace
}  // namespace warpfiber::cuda_libraries

using namespace warpfiber::cuda_libraries;

extern "C" {

cusparseStatus_t cusparseCreateDnVec(cusparseDnVecDescr_t* vector, int64_t size, void* values, cudaDataType type) {
  return sparse_call(__func__, [&] { return create_dense_vector(vector, size, values, type); });
}
cusparseStatus_t cusparseCreateConstDnVec(cusparseConstDnVecDescr_t* vector, int64_t size, const void* values,
                                          cudaDataType type) {
  return sparse_call(__func__,
                     [&] { return create_dense_vector(const_cast<cusparseDnVecDescr**>(vector), size, values, type); });
}
cusparseStatus_t cusparseDestroyDnVec(cusparseConstDnVecDescr_t vector) {
  return sparse_call(__func__, [&] { return destroy_object<cusparseStatus_t>(vector); });
}
cusparseStatus_t cusparseDnVecGet(cusparseDnVecDescr_t vector, int64_t* size, void** values, cudaDataType* type) {
  return sparse_call(__func__, [&] { return get_vector(vector, size, values, type); });
}
cusparseStatus_t cusparseConstDnVecGet(cusparseConstDnVecDescr_t vector, int64_t* size, const void** values,
                                       cudaDataType* type) {
  return sparse_call(__func__, [&] { return get_vector(vector, size, values, type); });
}
cusparseStatus_t cusparseDnVecSetValues(cusparseDnVecDescr_t vector, void* values) {
  return sparse_call(__func__, [&] { return set_values(vector, &cusparseDnVecDescr::vector, values); });
}
cusparseStatus_t cusparseDnVecGetValues(cusparseDnVecDescr_t vector, void** values) {
  return sparse_call(__func__, [&] { return put(vector, values, [](const auto& of) { return of.vector.values; }); });
}
cusparseStatus_t cusparseConstDnVecGetValues(cusparseConstDnVecDescr_t vector, const void** values) {
  return sparse_call(__func__, [&] { return put(vector, values, [](const auto& of) { return of.vector.values; }); });
}

cusparseStatus_t cusparseCreateDnMat(cusparseDnMatDescr_t* matrix, int64_t rows, int64_t columns, int64_t leading,
                                     void* values, cudaDataType type, cusparseOrder_t order) {
  return sparse_call(__func__, [&] {
    return create_dense_matrix(matrix, {rows, columns, leading, false, values}, type, order);
  });
}
cusparseStatus_t cusparseCreateConstDnMat(cusparseConstDnMatDescr_t* matrix, int64_t rows, int64_t columns,
                                          int64_t leading, const void* values, cudaDataType type,
                                          cusparseOrder_t order) {
  return sparse_call(__func__, [&] {
    return create_dense_matrix(const_cast<cusparseDnMatDescr**>(matrix),
                               {rows, columns, leading, false, const_cast<void*>(values)}, type, order);
  });
}
cusparseStatus_t cusparseDestroyDnMat(cusparseConstDnMatDescr_t matrix) {
  return sparse_call(__func__, [&] { return destroy_object<cusparseStatus_t>(matrix); });
}
cusparseStatus_t cusparseDnMatGet(cusparseDnMatDescr_t matrix, int64_t* rows, int64_t* columns, int64_t* leading,
                                  void** values, cudaDataType* type, cusparseOrder_t* order) {
  return sparse_call(__func__, [&] { return get_matrix(matrix, rows, columns, leading, values, type, order); });
}
cusparseStatus_t cusparseConstDnMatGet(cusparseConstDnMatDescr_t matrix, int64_t* rows, int64_t* columns,
                                       int64_t* leading, const void** values, cudaDataType* type,
                                       cusparseOrder_t* order) {
  return sparse_call(__func__, [&] { return get_matrix(matrix, rows, columns, leading, values, type, order); });
}
cusparseStatus_t cusparseDnMatSetValues(cusparseDnMatDescr_t matrix, void* values) {
  return sparse_call(__func__, [&] { return set_values(matrix, &cusparseDnMatDescr::matrix, values); });
}
cusparseStatus_t cusparseDnMatGetValues(cusparseDnMatDescr_t matrix, void** values) {
  return sparse_call(__func__, [&] { return put(matrix, values, [](const auto& of) { return of.matrix.values; }); });
}
cusparseStatus_t cusparseConstDnMatGetValues(cusparseConstDnMatDescr_t matrix, const void** values) {
  return sparse_call(__func__, [&] { return put(matrix, values, [](const auto& of) { return of.matrix.values; }); });
}
cusparseStatus_t cusparseDnMatSetStridedBatch(cusparseDnMatDescr_t matrix, int count, int64_t stride) {
  return sparse_call(__func__, [&] {
    if (matrix == nullptr) return null_pointer();
    if (count < 1) return invalid_value(ReasonKind::sparse_batch_empty);
    const DenseMatrix& of = matrix->matrix;
    if (stride != 0 && stride < of.leading * (of.by_row ? of.rows : of.columns))
      return invalid_value(ReasonKind::sparse_stride_too_small);
    matrix->matrix.batch = count;
    matrix->matrix.stride = stride;
    return SparseResult{};
  });
}
cusparseStatus_t cusparseDnMatGetStridedBatch(cusparseConstDnMatDescr_t matrix, int* count, int64_t* stride) {
  return sparse_call(__func__, [&] {
    if (matrix == nullptr || count == nullptr || stride == nullptr) return null_pointer();
    *count = matrix->matrix.batch;
    *stride = matrix->matrix.stride;
    return SparseResult{};
  });
}

cusparseStatus_t cusparseCreateSpVec(cusparseSpVecDescr_t* vector, int64_t size, int64_t nnz, void* indices,
                                     void* values, cusparseIndexType_t index, cusparseIndexBase_t base,
                                     cudaDataType type) {
  return sparse_call(__func__, [&] {
    return create_sparse_vector(vector, {size, nnz, indices, values, NumberKind::float32, false, base}, index, type);
  });
}
cusparseStatus_t cusparseCreateConstSpVec(cusparseConstSpVecDescr_t* vector, int64_t size, int64_t nnz,
                                          const void* indices, const void* values, cusparseIndexType_t index,
                                          cusparseIndexBase_t base, cudaDataType type) {
  return sparse_call(__func__, [&] {
    return create_sparse_vector(const_cast<cusparseSpVecDescr**>(vector),
                                {size, nnz, indices, values, NumberKind::float32, false, base}, index, type);
  });
}
cusparseStatus_t cusparseDestroySpVec(cusparseConstSpVecDescr_t vector) {
  return sparse_call(__func__, [&] { return destroy_object<cusparseStatus_t>(vector); });
}
cusparseStatus_t cusparseSpVecGet(cusparseSpVecDescr_t vector, int64_t* size, int64_t* nnz, void** indices,
                                  void** values, cusparseIndexType_t* index, cusparseIndexBase_t* base,
                                  cudaDataType* type) {
  return sparse_call(__func__,
                     [&] { return get_sparse_vector(vector, size, nnz, indices, values, index, base, type); });
}
cusparseStatus_t cusparseConstSpVecGet(cusparseConstSpVecDescr_t vector, int64_t* size, int64_t* nnz,
                                       const void** indices, const void** values, cusparseIndexType_t* index,
                                       cusparseIndexBase_t* base, cudaDataType* type) {
  return sparse_call(__func__,
                     [&] { return get_sparse_vector(vector, size, nnz, indices, values, index, base, type); });
}
cusparseStatus_t cusparseSpVecGetIndexBase(cusparseConstSpVecDescr_t vector, cusparseIndexBase_t* base) {
  return sparse_call(__func__, [&] {
    return put(vector, base, [](const auto& of) { return static_cast<cusparseIndexBase_t>(of.vector.base); });
  });
}
cusparseStatus_t cusparseSpVecGetValues(cusparseSpVecDescr_t vector, void** values) {
  return sparse_call(__func__, [&] {
    return put(vector, values, [](const auto& of) { return const_cast<void*>(of.vector.values); });
  });
}
cusparseStatus_t cusparseConstSpVecGetValues(cusparseConstSpVecDescr_t vector, const void** values) {
  return sparse_call(__func__, [&] { return put(vector, values, [](const auto& of) { return of.vector.values; }); });
}
cusparseStatus_t cusparseSpVecSetValues(cusparseSpVecDescr_t vector, void* values) {
  return sparse_call(__func__, [&] { return set_values(vector, &cusparseSpVecDescr::vector, values); });
}

}  // extern "C"
