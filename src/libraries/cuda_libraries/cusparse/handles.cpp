// SPDX-License-Identifier: Apache-2.0
// Handles of cuSPARSE, names of its statuses, and the small descriptors. Statuses are those that cuSPARSE 12.6 returned
// on an H200.
#include <iterator>
#include <type_traits>

#include "cuda_libraries/cusparse/descriptors.hpp"

namespace warpfiber::cuda_libraries {

const char* CusparseStatuses::name(cusparseStatus_t status) {
  return cusparseGetErrorName(status);
}

std::optional<numerics::NumberKind> value_kind_of(cudaDataType type) {
  using numerics::NumberKind;
  switch (type) {
    case CUDA_R_16F: return NumberKind::half;
    case CUDA_R_16BF: return NumberKind::bfloat16;
    case CUDA_R_32F: return NumberKind::float32;
    case CUDA_R_64F: return NumberKind::float64;
    case CUDA_C_32F: return NumberKind::complex32;
    case CUDA_C_64F: return NumberKind::complex64;
    default: return std::nullopt;
  }
}

namespace {

/// Sets a member of a descriptor to one of the choices from 0 to `last`.
template <class Descriptor, class Choice>
cusparseStatus_t choose(const char* function, Descriptor* descriptor, Choice Descriptor::*member, Choice value,
                        Choice last, const void* returns_to = __builtin_return_address(0)) {
  return sparse_call(
      function,
      [&] {
        if (descriptor == nullptr) {
          SparseResult result = null_pointer();
          if constexpr (std::is_same_v<Descriptor, cusparseMatDescr>) result.status = CUSPARSE_STATUS_NOT_INITIALIZED;
          return result;
        }
        if (static_cast<unsigned>(value) > static_cast<unsigned>(last))
          return invalid_value(ReasonKind::sparse_choice_unknown);
        descriptor->*member = value;
        return SparseResult{};
      },
      returns_to);
}

}  // namespace
}  // namespace warpfiber::cuda_libraries

using namespace warpfiber::cuda_libraries;

extern "C" {

cusparseStatus_t cusparseCreate(cusparseHandle_t* handle) {
  return sparse_call(__func__, [&] { return create_object<cusparseStatus_t>(handle); });
}
cusparseStatus_t cusparseDestroy(cusparseHandle_t handle) {
  return sparse_call(__func__, [&] { return destroy_object<cusparseStatus_t>(handle); });
}
cusparseStatus_t cusparseGetVersion(cusparseHandle_t handle, int* version) {
  return sparse_call(__func__, [&] { return put(handle, version, [](const auto&) { return CUSPARSE_VERSION; }); });
}
cusparseStatus_t cusparseGetProperty(libraryPropertyType type, int* value) {
  return sparse_call(__func__, [&] {
    constexpr int kVersion[] = {CUSPARSE_VER_MAJOR, CUSPARSE_VER_MINOR, CUSPARSE_VER_PATCH};
    if (value == nullptr || static_cast<unsigned>(type) > 2) return invalid_value(ReasonKind::sparse_choice_unknown);
    *value = kVersion[type];
    return SparseResult{};
  });
}
cusparseStatus_t cusparseSetStream(cusparseHandle_t handle, cudaStream_t stream) {
  return sparse_call(__func__, [&] {
    if (handle == nullptr) return null_pointer();
    handle->stream = stream;
    return SparseResult{};
  });
}
cusparseStatus_t cusparseGetStream(cusparseHandle_t handle, cudaStream_t* stream) {
  return sparse_call(__func__, [&] { return put(handle, stream, [](const auto& of) { return of.stream; }); });
}
cusparseStatus_t cusparseSetPointerMode(cusparseHandle_t handle, cusparsePointerMode_t mode) {
  return choose(__func__, handle, &cusparseContext::mode, mode, CUSPARSE_POINTER_MODE_DEVICE);
}
cusparseStatus_t cusparseGetPointerMode(cusparseHandle_t handle, cusparsePointerMode_t* mode) {
  return sparse_call(__func__, [&] { return put(handle, mode, [](const auto& of) { return of.mode; }); });
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

cusparseStatus_t cusparseCreateMatDescr(cusparseMatDescr_t* descr) {
  return sparse_call(__func__, [&] { return create_object<cusparseStatus_t>(descr); });
}
cusparseStatus_t cusparseDestroyMatDescr(cusparseMatDescr_t descr) {
  return sparse_call(__func__, [&] { return destroy_object<cusparseStatus_t>(descr); });
}
cusparseStatus_t cusparseSetMatType(cusparseMatDescr_t descr, cusparseMatrixType_t type) {
  return choose(__func__, descr, &cusparseMatDescr::type, type, CUSPARSE_MATRIX_TYPE_TRIANGULAR);
}
cusparseStatus_t cusparseSetMatFillMode(cusparseMatDescr_t descr, cusparseFillMode_t fill) {
  return choose(__func__, descr, &cusparseMatDescr::fill, fill, CUSPARSE_FILL_MODE_UPPER);
}
cusparseStatus_t cusparseSetMatDiagType(cusparseMatDescr_t descr, cusparseDiagType_t diagonal) {
  return choose(__func__, descr, &cusparseMatDescr::diagonal, diagonal, CUSPARSE_DIAG_TYPE_UNIT);
}
cusparseStatus_t cusparseSetMatIndexBase(cusparseMatDescr_t descr, cusparseIndexBase_t base) {
  return choose(__func__, descr, &cusparseMatDescr::base, base, CUSPARSE_INDEX_BASE_ONE);
}
cusparseMatrixType_t cusparseGetMatType(cusparseMatDescr_t descr) {
  return descr == nullptr ? cusparseMatDescr{}.type : descr->type;
}
cusparseFillMode_t cusparseGetMatFillMode(cusparseMatDescr_t descr) {
  return descr == nullptr ? cusparseMatDescr{}.fill : descr->fill;
}
cusparseDiagType_t cusparseGetMatDiagType(cusparseMatDescr_t descr) {
  return descr == nullptr ? cusparseMatDescr{}.diagonal : descr->diagonal;
}
cusparseIndexBase_t cusparseGetMatIndexBase(cusparseMatDescr_t descr) {
  return descr == nullptr ? cusparseMatDescr{}.base : descr->base;
}

cusparseStatus_t cusparseSpGEMM_createDescr(cusparseSpGEMMDescr_t* descr) {
  return sparse_call(__func__, [&] { return create_object<cusparseStatus_t>(descr); });
}
cusparseStatus_t cusparseSpGEMM_destroyDescr(cusparseSpGEMMDescr_t descr) {
  return sparse_call(__func__, [&] { return destroy_object<cusparseStatus_t>(descr); });
}
cusparseStatus_t cusparseSpSV_createDescr(cusparseSpSVDescr_t* descr) {
  return sparse_call(__func__, [&] { return create_object<cusparseStatus_t>(descr); });
}
cusparseStatus_t cusparseSpSV_destroyDescr(cusparseSpSVDescr_t descr) {
  return sparse_call(__func__, [&] { return destroy_object<cusparseStatus_t>(descr); });
}
cusparseStatus_t cusparseSpSM_createDescr(cusparseSpSMDescr_t* descr) {
  return sparse_call(__func__, [&] { return create_object<cusparseStatus_t>(descr); });
}
cusparseStatus_t cusparseSpSM_destroyDescr(cusparseSpSMDescr_t descr) {
  return sparse_call(__func__, [&] { return destroy_object<cusparseStatus_t>(descr); });
}
cusparseStatus_t cusparseCreateCsrilu02Info(csrilu02Info_t* info) {
  return sparse_call(__func__, [&] { return create_object<cusparseStatus_t>(info); });
}
cusparseStatus_t cusparseDestroyCsrilu02Info(csrilu02Info_t info) {
  return sparse_call(__func__, [&] { return destroy_object<cusparseStatus_t>(info); });
}
cusparseStatus_t cusparseCreateCsric02Info(csric02Info_t* info) {
  return sparse_call(__func__, [&] { return create_object<cusparseStatus_t>(info); });
}
cusparseStatus_t cusparseDestroyCsric02Info(csric02Info_t info) {
  return sparse_call(__func__, [&] { return destroy_object<cusparseStatus_t>(info); });
}

}  // extern "C"
