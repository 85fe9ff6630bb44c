// SPDX-License-Identifier: Apache-2.0
// Handles and descriptors of cuSPARSE. Statuses are those that cuSPARSE 12.6 returned on an H200.
#include "abi/cusparse/descriptors.hpp"

#include <iterator>
#include <memory>

namespace warpfiber::abi {

const char* CusparseStatuses::name(cusparseStatus_t status) {
  return cusparseGetErrorName(status);
}

namespace {

using numerics::SparseFormat;
using numerics::SparseMatrix;

constexpr cusparseIndexType_t kNarrow = CUSPARSE_INDEX_32I, kWide = CUSPARSE_INDEX_64I;

bool is_index(cusparseIndexType_t type) {
  return type == kNarrow || type == kWide;
}

struct IndexTypes {
  cusparseIndexType_t outer;
  cusparseIndexType_t inner;
  cusparseIndexBase_t base;
};

SparseResult create_sparse(cusparseSpMatDescr** result, SparseMatrix matrix, const IndexTypes& types, unsigned type) {
  if (result == nullptr) return invalid_value(warpfiber::record::Reason(ReasonKind::result_pointer_null));
  if (matrix.rows < 0 || matrix.columns < 0 || matrix.entries < 0) return invalid_value("negative size");
  if (matrix.entries > matrix.rows * matrix.columns) return invalid_value("number of entries");
  if (!is_index(types.outer) || !is_index(types.inner)) return {CUSPARSE_STATUS_NOT_SUPPORTED};
  matrix.outer_is_64 = types.outer == kWide;
  matrix.inner_is_64 = types.inner == kWide;
  matrix.base = types.base;
  *result = std::make_unique<cusparseSpMatDescr>(cusparseSpMatDescr{matrix, type}).release();
  return {};
}

/// Writes `value` where the program asks for it, unless the descriptor or the place is null.
template <class Descriptor, class Place, class Value>
SparseResult put(const Descriptor* descriptor, Place* place, Value value) {
  if (descriptor == nullptr || place == nullptr)
    return invalid_value(warpfiber::record::Reason(ReasonKind::pointer_null));
  *place = value(*descriptor);
  return {};
}

SparseResult set_pointers(cusparseSpMatDescr* matrix, const void* outer, const void* inner, const void* values) {
  if (matrix == nullptr) return invalid_value(warpfiber::record::Reason(ReasonKind::pointer_null));
  matrix->matrix.outer = outer;
  matrix->matrix.inner = inner;
  matrix->matrix.values = values;
  return {};
}

template <class Descriptor>
SparseResult destroy(const Descriptor* descriptor) {
  const std::unique_ptr<const Descriptor> ended(descriptor);
  return {};
}

SparseResult create_dense_vector(cusparseDnVecDescr** result, std::int64_t size, const void* values, unsigned type) {
  if (result == nullptr) return invalid_value(warpfiber::record::Reason(ReasonKind::result_pointer_null));
  if (size < 0) return invalid_value("negative size");
  *result =
      std::make_unique<cusparseDnVecDescr>(cusparseDnVecDescr{{size, 1, size, false, const_cast<void*>(values)}, type})
          .release();
  return {};
}

SparseResult create_dense_matrix(cusparseDnMatDescr** result, numerics::DenseMatrix matrix, unsigned type) {
  if (result == nullptr) return invalid_value(warpfiber::record::Reason(ReasonKind::result_pointer_null));
  if (matrix.rows < 0 || matrix.columns < 0) return invalid_value("negative size");
  if (matrix.leading < (matrix.by_row ? matrix.columns : matrix.rows)) {
    return invalid_value("leading dimension");
  }
  *result = std::make_unique<cusparseDnMatDescr>(cusparseDnMatDescr{matrix, type}).release();
  return {};
}

template <class Work>
cusparseStatus_t call(const char* function, Work&& work, const void* returns_to = __builtin_return_address(0)) {
  return library_call<cusparseStatus_t>(function, work, returns_to);
}

}  // namespace
}  // namespace warpfiber::abi

using namespace warpfiber::abi;

extern "C" {

cusparseStatus_t cusparseCreate(cusparseHandle_t* handle) {
  return call(__func__, [&] {
    if (handle == nullptr) return invalid_value(warpfiber::record::Reason(ReasonKind::result_pointer_null));
    *handle = std::make_unique<cusparseContext>().release();
    return SparseResult{};
  });
}
cusparseStatus_t cusparseDestroy(cusparseHandle_t handle) {
  return call(__func__, [&] { return destroy(handle); });
}
cusparseStatus_t cusparseGetVersion(cusparseHandle_t handle, int* version) {
  return call(__func__, [&] { return put(handle, version, [](const auto&) { return CUSPARSE_VERSION; }); });
}
cusparseStatus_t cusparseGetProperty(unsigned type, int* value) {
  return call(__func__, [&] {
    constexpr int kVersion[] = {CUSPARSE_VER_MAJOR, CUSPARSE_VER_MINOR, CUSPARSE_VER_PATCH};
    if (value == nullptr || type > 2) return invalid_value("property");
    *value = kVersion[type];
    return SparseResult{};
  });
}
cusparseStatus_t cusparseSetStream(cusparseHandle_t handle, cudaStream_t stream) {
  return call(__func__, [&] {
    if (handle == nullptr) return invalid_value(warpfiber::record::Reason(ReasonKind::pointer_null));
    handle->stream = stream;
    return SparseResult{};
  });
}
cusparseStatus_t cusparseGetStream(cusparseHandle_t handle, cudaStream_t* stream) {
  return call(__func__, [&] { return put(handle, stream, [](const auto& of) { return of.stream; }); });
}
cusparseStatus_t cusparseSetPointerMode(cusparseHandle_t handle, cusparsePointerMode_t mode) {
  return call(__func__, [&] {
    if (handle == nullptr) return invalid_value(warpfiber::record::Reason(ReasonKind::pointer_null));
    if (mode != CUSPARSE_POINTER_MODE_HOST && mode != CUSPARSE_POINTER_MODE_DEVICE) {
      return invalid_value("pointer mode");
    }
    handle->mode = mode;
    return SparseResult{};
  });
}
cusparseStatus_t cusparseGetPointerMode(cusparseHandle_t handle, cusparsePointerMode_t* mode) {
  return call(__func__, [&] { return put(handle, mode, [](const auto& of) { return of.mode; }); });
}
const char* cusparseGetErrorName(cusparseStatus_t status) {
  constexpr const char* kNames[] = {"CUSPARSE_STATUS_SUCCESS",
                                    "CUSPARSE_STATUS_NOT_INITIALIZED",
                                    "CUSPARSE_STATUS_ALLOC_FAILED",
                                    "CUSPARSE_STATUS_INVALID_VALUE",
                                    "CUSPARSE_STATUS_ARCH_MISMATCH",
                                    "CUSPARSE_STATUS_MAPPING_ERROR",
                                    "CUSPARSE_STATUS_EXECUTION_FAILED",
                                    "CUSPARSE_STATUS_INTERNAL_ERROR",
                                    "CUSPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED",
                                    "CUSPARSE_STATUS_ZERO_PIVOT",
                                    "CUSPARSE_STATUS_NOT_SUPPORTED",
                                    "CUSPARSE_STATUS_INSUFFICIENT_RESOURCES"};
  return static_cast<unsigned>(status) < std::size(kNames) ? kNames[status] : "unrecognized error code";
}
const char* cusparseGetErrorString(cusparseStatus_t status) {
  return cusparseGetErrorName(status);
}

#define WARPFIBER_CREATE_SPARSE(Kind, format, Descriptor, Pointer)                                                    \
  cusparseStatus_t cusparseCreate##Kind(Descriptor* matrix, int64_t rows, int64_t columns, int64_t entries,           \
                                        Pointer outer, Pointer inner, Pointer values, cusparseIndexType_t outer_type, \
                                        cusparseIndexType_t inner_type, cusparseIndexBase_t base, unsigned type) {    \
    return call(__func__, [&] {                                                                                       \
      return create_sparse(const_cast<cusparseSpMatDescr**>(matrix),                                                  \
                           {format, rows, columns, entries, outer, inner, values}, {outer_type, inner_type, base},    \
                           type);                                                                                     \
    });                                                                                                               \
  }
#define WARPFIBER_CREATE_COO(Kind, Descriptor, Pointer)                                                             \
  cusparseStatus_t cusparseCreate##Kind(Descriptor* matrix, int64_t rows, int64_t columns, int64_t entries,         \
                                        Pointer outer, Pointer inner, Pointer values, cusparseIndexType_t index,    \
                                        cusparseIndexBase_t base, unsigned type) {                                  \
    return call(__func__, [&] {                                                                                     \
      return create_sparse(const_cast<cusparseSpMatDescr**>(matrix),                                                \
                           {SparseFormat::coo, rows, columns, entries, outer, inner, values}, {index, index, base}, \
                           type);                                                                                   \
    });                                                                                                             \
  }
WARPFIBER_CREATE_SPARSE(Csr, SparseFormat::csr, cusparseSpMatDescr_t, void*)
WARPFIBER_CREATE_SPARSE(Csc, SparseFormat::csc, cusparseSpMatDescr_t, void*)
WARPFIBER_CREATE_SPARSE(ConstCsr, SparseFormat::csr, cusparseConstSpMatDescr_t, const void*)
WARPFIBER_CREATE_SPARSE(ConstCsc, SparseFormat::csc, cusparseConstSpMatDescr_t, const void*)
WARPFIBER_CREATE_COO(Coo, cusparseSpMatDescr_t, void*)
WARPFIBER_CREATE_COO(ConstCoo, cusparseConstSpMatDescr_t, const void*)
#undef WARPFIBER_CREATE_SPARSE
#undef WARPFIBER_CREATE_COO

cusparseStatus_t cusparseCreateDnVec(cusparseDnVecDescr_t* vector, int64_t size, void* values, unsigned type) {
  return call(__func__, [&] { return create_dense_vector(vector, size, values, type); });
}
cusparseStatus_t cusparseCreateConstDnVec(cusparseConstDnVecDescr_t* vector, int64_t size, const void* values,
                                          unsigned type) {
  return call(__func__,
              [&] { return create_dense_vector(const_cast<cusparseDnVecDescr**>(vector), size, values, type); });
}
cusparseStatus_t cusparseCreateDnMat(cusparseDnMatDescr_t* matrix, int64_t rows, int64_t columns, int64_t leading,
                                     void* values, unsigned type, cusparseOrder_t order) {
  return call(__func__, [&] {
    return create_dense_matrix(matrix, {rows, columns, leading, order == CUSPARSE_ORDER_ROW, values}, type);
  });
}
cusparseStatus_t cusparseCreateConstDnMat(cusparseConstDnMatDescr_t* matrix, int64_t rows, int64_t columns,
                                          int64_t leading, const void* values, unsigned type, cusparseOrder_t order) {
  return call(__func__, [&] {
    return create_dense_matrix(const_cast<cusparseDnMatDescr**>(matrix),
                               {rows, columns, leading, order == CUSPARSE_ORDER_ROW, const_cast<void*>(values)}, type);
  });
}
cusparseStatus_t cusparseDestroySpMat(cusparseConstSpMatDescr_t matrix) {
  return call(__func__, [&] { return destroy(matrix); });
}
cusparseStatus_t cusparseDestroyDnVec(cusparseConstDnVecDescr_t vector) {
  return call(__func__, [&] { return destroy(vector); });
}
cusparseStatus_t cusparseDestroyDnMat(cusparseConstDnMatDescr_t matrix) {
  return call(__func__, [&] { return destroy(matrix); });
}
cusparseStatus_t cusparseDnVecSetValues(cusparseDnVecDescr_t vector, void* values) {
  return call(__func__, [&] {
    if (vector == nullptr) return invalid_value(warpfiber::record::Reason(ReasonKind::pointer_null));
    vector->vector.values = values;
    return SparseResult{};
  });
}
cusparseStatus_t cusparseDnVecGetValues(cusparseDnVecDescr_t vector, void** values) {
  return call(__func__, [&] { return put(vector, values, [](const auto& of) { return of.vector.values; }); });
}
cusparseStatus_t cusparseDnMatSetValues(cusparseDnMatDescr_t matrix, void* values) {
  return call(__func__, [&] {
    if (matrix == nullptr) return invalid_value(warpfiber::record::Reason(ReasonKind::pointer_null));
    matrix->matrix.values = values;
    return SparseResult{};
  });
}
cusparseStatus_t cusparseDnMatGetValues(cusparseDnMatDescr_t matrix, void** values) {
  return call(__func__, [&] { return put(matrix, values, [](const auto& of) { return of.matrix.values; }); });
}
cusparseStatus_t cusparseSpMatSetValues(cusparseSpMatDescr_t matrix, void* values) {
  return call(__func__, [&] {
    if (matrix == nullptr) return invalid_value(warpfiber::record::Reason(ReasonKind::pointer_null));
    matrix->matrix.values = values;
    return SparseResult{};
  });
}
cusparseStatus_t cusparseSpMatGetValues(cusparseSpMatDescr_t matrix, void** values) {
  return call(__func__,
              [&] { return put(matrix, values, [](const auto& of) { return const_cast<void*>(of.matrix.values); }); });
}
cusparseStatus_t cusparseSpMatGetSize(cusparseConstSpMatDescr_t matrix, int64_t* rows, int64_t* columns, int64_t* nnz) {
  return call(__func__, [&] {
    if (matrix == nullptr || rows == nullptr || columns == nullptr || nnz == nullptr) {
      return invalid_value(warpfiber::record::Reason(ReasonKind::pointer_null));
    }
    *rows = matrix->matrix.rows;
    *columns = matrix->matrix.columns;
    *nnz = matrix->matrix.entries;
    return SparseResult{};
  });
}
cusparseStatus_t cusparseSpMatGetFormat(cusparseConstSpMatDescr_t matrix, cusparseFormat_t* format) {
  return call(__func__, [&] {
    return put(matrix, format, [](const auto& of) {
      constexpr cusparseFormat_t kFormats[] = {CUSPARSE_FORMAT_CSR, CUSPARSE_FORMAT_CSC, CUSPARSE_FORMAT_COO};
      return kFormats[static_cast<std::size_t>(of.matrix.format)];
    });
  });
}
cusparseStatus_t cusparseSpMatGetIndexBase(cusparseConstSpMatDescr_t matrix, cusparseIndexBase_t* base) {
  return call(__func__, [&] {
    return put(matrix, base, [](const auto& of) { return static_cast<cusparseIndexBase_t>(of.matrix.base); });
  });
}
cusparseStatus_t cusparseCsrSetPointers(cusparseSpMatDescr_t matrix, void* offsets, void* columns, void* values) {
  return call(__func__, [&] { return set_pointers(matrix, offsets, columns, values); });
}
cusparseStatus_t cusparseCscSetPointers(cusparseSpMatDescr_t matrix, void* offsets, void* rows, void* values) {
  return call(__func__, [&] { return set_pointers(matrix, offsets, rows, values); });
}
cusparseStatus_t cusparseCooSetPointers(cusparseSpMatDescr_t matrix, void* rows, void* columns, void* values) {
  return call(__func__, [&] { return set_pointers(matrix, rows, columns, values); });
}

}  // extern "C"
