// SPDX-License-Identifier: Apache-2.0
// Algorithms of cuBLASLt. There is one; what a program sets it to is kept and changes nothing.
#include <algorithm>
#include <iterator>

#include "cuda_libraries/cublaslt/attributes.hpp"
#include "cuda_libraries/cublaslt/matmul_call.hpp"

namespace warpfiber::cuda_libraries {
namespace {

constexpr LtAttribute kConfigAttributes[] = {
    WARPFIBER_ATTRIBUTE(CUBLASLT_ALGO_CONFIG_ID, AlgorithmFields, number),
    WARPFIBER_ATTRIBUTE(CUBLASLT_ALGO_CONFIG_TILE_ID, AlgorithmFields, tile),
    WARPFIBER_ATTRIBUTE(CUBLASLT_ALGO_CONFIG_SPLITK_NUM, AlgorithmFields, splits),
    WARPFIBER_ATTRIBUTE(CUBLASLT_ALGO_CONFIG_REDUCTION_SCHEME, AlgorithmFields, reduction),
    WARPFIBER_ATTRIBUTE(CUBLASLT_ALGO_CONFIG_CTA_SWIZZLING, AlgorithmFields, swizzling),
    WARPFIBER_ATTRIBUTE(CUBLASLT_ALGO_CONFIG_CUSTOM_OPTION, AlgorithmFields, custom_option),
    WARPFIBER_ATTRIBUTE(CUBLASLT_ALGO_CONFIG_STAGES_ID, AlgorithmFields, stages),
    WARPFIBER_ATTRIBUTE(CUBLASLT_ALGO_CONFIG_INNER_SHAPE_ID, AlgorithmFields, inner_shape),
    WARPFIBER_ATTRIBUTE(CUBLASLT_ALGO_CONFIG_CLUSTER_SHAPE_ID, AlgorithmFields, cluster_shape),
};

/// What the algorithm can do: 32 bits each, but for the last.
struct Capability {
  int number;
  std::uint32_t value;
};
constexpr Capability kCapabilities[] = {
    {CUBLASLT_ALGO_CAP_SPLITK_SUPPORT, 0},
    {CUBLASLT_ALGO_CAP_REDUCTION_SCHEME_MASK, CUBLASLT_REDUCTION_SCHEME_NONE},
    {CUBLASLT_ALGO_CAP_CTA_SWIZZLING_SUPPORT, 0},
    {CUBLASLT_ALGO_CAP_STRIDED_BATCH_SUPPORT, 1},
    {CUBLASLT_ALGO_CAP_OUT_OF_PLACE_RESULT_SUPPORT, 1},
    {CUBLASLT_ALGO_CAP_UPLO_SUPPORT, 0},
    {CUBLASLT_ALGO_CAP_TILE_IDS, CUBLASLT_MATMUL_TILE_UNDEFINED},
    {CUBLASLT_ALGO_CAP_CUSTOM_OPTION_MAX, 0},
    {CUBLASLT_ALGO_CAP_CUSTOM_MEMORY_ORDER, 0},
    {CUBLASLT_ALGO_CAP_POINTER_MODE_MASK, CUBLASLT_POINTER_MODE_MASK_HOST | CUBLASLT_POINTER_MODE_MASK_DEVICE},
    {CUBLASLT_ALGO_CAP_STAGES_IDS, CUBLASLT_MATMUL_STAGES_UNDEFINED},
    {CUBLASLT_ALGO_CAP_LD_NEGATIVE, 0},
    {CUBLASLT_ALGO_CAP_MIN_ALIGNMENT_A_BYTES, 1},
    {CUBLASLT_ALGO_CAP_MIN_ALIGNMENT_B_BYTES, 1},
    {CUBLASLT_ALGO_CAP_MIN_ALIGNMENT_C_BYTES, 1},
    {CUBLASLT_ALGO_CAP_MIN_ALIGNMENT_D_BYTES, 1},
    {CUBLASLT_ALGO_CAP_FLOATING_POINT_EMULATION_SUPPORT, 0},
};

CublasResult capability(int number, void* to, std::size_t size, std::size_t* written) {
  const auto* const known = std::find_if(std::begin(kCapabilities), std::end(kCapabilities),
                                         [number](const Capability& one) { return one.number == number; });
  if (known == std::end(kCapabilities)) {
    return {CUBLAS_STATUS_INVALID_VALUE, {ReasonKind::blas_choice_unknown, "capability", number}};
  }
  if (size == 0 && written == nullptr) return {CUBLAS_STATUS_INVALID_VALUE, ReasonKind::result_pointer_null};
  if (size != 0 && (to == nullptr || size < sizeof known->value)) {
    return {CUBLAS_STATUS_INVALID_VALUE, {ReasonKind::blas_attribute_size, number, sizeof known->value, size}};
  }
  if (size != 0) std::memcpy(to, &known->value, sizeof known->value);
  if (written != nullptr) *written = sizeof known->value;
  return {};
}

template <class Work>
cublasStatus_t with_handle(const char* function, cublasLtHandle_t handle, Work work,
                           const void* returns_to = __builtin_return_address(0)) {
  return library_call<cublasStatus_t>(
      function,
      [&]() -> CublasResult {
        if (handle == nullptr) return {CUBLAS_STATUS_NOT_INITIALIZED, ReasonKind::blas_lt_handle_null};
        return work();
      },
      returns_to);
}

CublasResult null_result() {
  return {CUBLAS_STATUS_INVALID_VALUE, ReasonKind::result_pointer_null};
}

CublasResult check_types(const MatmulTypes& types) {
  if (arithmetic_of(types)) return {};
  return {CUBLAS_STATUS_NOT_SUPPORTED, {ReasonKind::blas_types_not_modelled, types.a, types.b, types.c, types.compute}};
}

CublasResult check_into(const MatmulCall& call, cublasLtMatmulHeuristicResult_t& result) {
  CublasResult checked = check(call);
  result.workspaceSize = 0;
  result.state = checked.status;
  result.wavesCount = 1;
  return checked;
}

}  // namespace
}  // namespace warpfiber::cuda_libraries

using namespace warpfiber::cuda_libraries;

extern "C" {

cublasStatus_t cublasLtMatmulAlgoGetHeuristic(cublasLtHandle_t handle, cublasLtMatmulDesc_t desc,
                                              cublasLtMatrixLayout_t a, cublasLtMatrixLayout_t b,
                                              cublasLtMatrixLayout_t c, cublasLtMatrixLayout_t d,
                                              cublasLtMatmulPreference_t preference, int requested,
                                              cublasLtMatmulHeuristicResult_t results[], int* returned) {
  return with_handle(__func__, handle, [&]() -> CublasResult {
    if (requested < 1) {
      return {CUBLAS_STATUS_INVALID_VALUE,
              {ReasonKind::blas_value_too_small, "the number of algorithms", requested, 1}};
    }
    if (preference == nullptr) return null_descriptor();
    if (results == nullptr || returned == nullptr) return null_result();
    *returned = 0;
    results[0] = {};
    ::new (static_cast<void*>(results[0].algo.data)) AlgorithmFields;
    CublasResult result =
        check_into({fields_of(desc), fields_of(a), fields_of(b), fields_of(c), fields_of(d)}, results[0]);
    *returned = result.failed() ? 0 : 1;
    return result;
  });
}

cublasStatus_t cublasLtMatmulAlgoGetIds(cublasLtHandle_t handle, cublasComputeType_t compute, cudaDataType scale,
                                        cudaDataType a, cudaDataType b, cudaDataType c, cudaDataType d, int requested,
                                        int numbers[], int* returned) {
  return with_handle(__func__, handle, [&]() -> CublasResult {
    if (requested < 1 || numbers == nullptr || returned == nullptr) return null_result();
    *returned = 0;
    if (CublasResult result = check_types({compute, scale, a, b, c, d}); result.failed()) return result;
    numbers[0] = 0;
    *returned = 1;
    return {};
  });
}

cublasStatus_t cublasLtMatmulAlgoInit(cublasLtHandle_t handle, cublasComputeType_t compute, cudaDataType scale,
                                      cudaDataType a, cudaDataType b, cudaDataType c, cudaDataType d, int number,
                                      cublasLtMatmulAlgo_t* algo) {
  return with_handle(__func__, handle, [&]() -> CublasResult {
    if (algo == nullptr) return null_result();
    if (CublasResult result = check_types({compute, scale, a, b, c, d}); result.failed()) return result;
    AlgorithmFields fields;
    fields.number = number;
    ::new (static_cast<void*>(algo->data)) AlgorithmFields(fields);
    return {};
  });
}

cublasStatus_t cublasLtMatmulAlgoCheck(cublasLtHandle_t handle, cublasLtMatmulDesc_t desc, cublasLtMatrixLayout_t a,
                                       cublasLtMatrixLayout_t b, cublasLtMatrixLayout_t c, cublasLtMatrixLayout_t d,
                                       const cublasLtMatmulAlgo_t* algo, cublasLtMatmulHeuristicResult_t* result) {
  return with_handle(__func__, handle, [&]() -> CublasResult {
    if (algo == nullptr || result == nullptr) return null_result();
    result->algo = *algo;
    return check_into({fields_of(desc), fields_of(a), fields_of(b), fields_of(c), fields_of(d)}, *result);
  });
}

cublasStatus_t cublasLtMatmulAlgoCapGetAttribute(const cublasLtMatmulAlgo_t* algo,
                                                 cublasLtMatmulAlgoCapAttributes_t attr, void* buf, size_t size,
                                                 size_t* written) {
  return library_call<cublasStatus_t>(__func__, [&]() -> CublasResult {
    if (algo == nullptr) return null_descriptor();
    return capability(attr, buf, size, written);
  });
}
cublasStatus_t cublasLtMatmulAlgoConfigSetAttribute(cublasLtMatmulAlgo_t* algo,
                                                    cublasLtMatmulAlgoConfigAttributes_t attr, const void* buf,
                                                    size_t size) {
  return set_attribute<AlgorithmFields>(__func__, kConfigAttributes, algo, attr, buf, size);
}
cublasStatus_t cublasLtMatmulAlgoConfigGetAttribute(const cublasLtMatmulAlgo_t* algo,
                                                    cublasLtMatmulAlgoConfigAttributes_t attr, void* buf, size_t size,
                                                    size_t* written) {
  return get_attribute<AlgorithmFields>(__func__, kConfigAttributes, const_cast<cublasLtMatmulAlgo_t*>(algo), attr, buf,
                                        size, written);
}

}  // extern "C"
