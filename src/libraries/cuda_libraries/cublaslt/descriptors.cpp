// SPDX-License-Identifier: Apache-2.0
// Descriptors of cuBLASLt: how they begin, and their attributes, each of which is a field.
#include "cuda_libraries/cublaslt/attributes.hpp"

namespace warpfiber::cuda_libraries {
namespace {

constexpr LtAttribute kLayoutAttributes[] = {
    WARPFIBER_ATTRIBUTE(CUBLASLT_MATRIX_LAYOUT_TYPE, LayoutFields, type),
    WARPFIBER_ATTRIBUTE(CUBLASLT_MATRIX_LAYOUT_ORDER, LayoutFields, order),
    WARPFIBER_ATTRIBUTE(CUBLASLT_MATRIX_LAYOUT_ROWS, LayoutFields, rows),
    WARPFIBER_ATTRIBUTE(CUBLASLT_MATRIX_LAYOUT_COLS, LayoutFields, columns),
    WARPFIBER_ATTRIBUTE(CUBLASLT_MATRIX_LAYOUT_LD, LayoutFields, leading),
    WARPFIBER_ATTRIBUTE(CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, LayoutFields, count),
    WARPFIBER_ATTRIBUTE(CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, LayoutFields, distance),
    WARPFIBER_ATTRIBUTE(CUBLASLT_MATRIX_LAYOUT_PLANE_OFFSET, LayoutFields, plane),
};

constexpr LtAttribute kMatmulAttributes[] = {
    WARPFIBER_ATTRIBUTE(CUBLASLT_MATMUL_DESC_COMPUTE_TYPE, MatmulFields, compute),
    WARPFIBER_ATTRIBUTE(CUBLASLT_MATMUL_DESC_SCALE_TYPE, MatmulFields, scale),
    WARPFIBER_ATTRIBUTE(CUBLASLT_MATMUL_DESC_POINTER_MODE, MatmulFields, pointer_mode),
    WARPFIBER_ATTRIBUTE(CUBLASLT_MATMUL_DESC_TRANSA, MatmulFields, operation_of_a),
    WARPFIBER_ATTRIBUTE(CUBLASLT_MATMUL_DESC_TRANSB, MatmulFields, operation_of_b),
    WARPFIBER_ATTRIBUTE(CUBLASLT_MATMUL_DESC_TRANSC, MatmulFields, operation_of_c),
    WARPFIBER_ATTRIBUTE(CUBLASLT_MATMUL_DESC_FILL_MODE, MatmulFields, fill_mode),
    WARPFIBER_ATTRIBUTE(CUBLASLT_MATMUL_DESC_EPILOGUE, MatmulFields, epilogue),
    WARPFIBER_ATTRIBUTE(CUBLASLT_MATMUL_DESC_BIAS_POINTER, MatmulFields, bias),
    WARPFIBER_ATTRIBUTE(CUBLASLT_MATMUL_DESC_BIAS_BATCH_STRIDE, MatmulFields, bias_distance),
    WARPFIBER_ATTRIBUTE(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER, MatmulFields, inputs),
    WARPFIBER_ATTRIBUTE(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD, MatmulFields, inputs_leading),
    WARPFIBER_ATTRIBUTE(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_BATCH_STRIDE, MatmulFields, inputs_distance),
    WARPFIBER_ATTRIBUTE(CUBLASLT_MATMUL_DESC_ALPHA_VECTOR_BATCH_STRIDE, MatmulFields, alpha_distance),
    WARPFIBER_ATTRIBUTE(CUBLASLT_MATMUL_DESC_SM_COUNT_TARGET, MatmulFields, multiprocessors),
    WARPFIBER_ATTRIBUTE(CUBLASLT_MATMUL_DESC_A_SCALE_POINTER, MatmulFields, scale_of_a),
    WARPFIBER_ATTRIBUTE(CUBLASLT_MATMUL_DESC_B_SCALE_POINTER, MatmulFields, scale_of_b),
    WARPFIBER_ATTRIBUTE(CUBLASLT_MATMUL_DESC_C_SCALE_POINTER, MatmulFields, scale_of_c),
    WARPFIBER_ATTRIBUTE(CUBLASLT_MATMUL_DESC_D_SCALE_POINTER, MatmulFields, scale_of_d),
    WARPFIBER_ATTRIBUTE(CUBLASLT_MATMUL_DESC_AMAX_D_POINTER, MatmulFields, largest_of_d),
    WARPFIBER_ATTRIBUTE(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_DATA_TYPE, MatmulFields, inputs_type),
    WARPFIBER_ATTRIBUTE(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_SCALE_POINTER, MatmulFields, scale_of_inputs),
    WARPFIBER_ATTRIBUTE(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_AMAX_POINTER, MatmulFields, largest_of_inputs),
    WARPFIBER_ATTRIBUTE(CUBLASLT_MATMUL_DESC_FAST_ACCUM, MatmulFields, fast_accumulation),
    WARPFIBER_ATTRIBUTE(CUBLASLT_MATMUL_DESC_BIAS_DATA_TYPE, MatmulFields, bias_type),
    WARPFIBER_ATTRIBUTE(CUBLASLT_MATMUL_DESC_A_SCALE_MODE, MatmulFields, scale_modes[0]),
    WARPFIBER_ATTRIBUTE(CUBLASLT_MATMUL_DESC_B_SCALE_MODE, MatmulFields, scale_modes[1]),
    WARPFIBER_ATTRIBUTE(CUBLASLT_MATMUL_DESC_C_SCALE_MODE, MatmulFields, scale_modes[2]),
    WARPFIBER_ATTRIBUTE(CUBLASLT_MATMUL_DESC_D_SCALE_MODE, MatmulFields, scale_modes[3]),
    WARPFIBER_ATTRIBUTE(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_SCALE_MODE, MatmulFields, scale_modes[4]),
    WARPFIBER_ATTRIBUTE(CUBLASLT_MATMUL_DESC_D_OUT_SCALE_POINTER, MatmulFields, scales_stored),
    WARPFIBER_ATTRIBUTE(CUBLASLT_MATMUL_DESC_D_OUT_SCALE_MODE, MatmulFields, stored_scale_mode),
};

constexpr LtAttribute kPreferenceAttributes[] = {
    WARPFIBER_ATTRIBUTE(CUBLASLT_MATMUL_PREF_SEARCH_MODE, PreferenceFields, search),
    WARPFIBER_ATTRIBUTE(CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, PreferenceFields, workspace),
    WARPFIBER_ATTRIBUTE(CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK, PreferenceFields, reductions),
    WARPFIBER_ATTRIBUTE(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES, PreferenceFields, alignments[0]),
    WARPFIBER_ATTRIBUTE(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES, PreferenceFields, alignments[1]),
    WARPFIBER_ATTRIBUTE(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES, PreferenceFields, alignments[2]),
    WARPFIBER_ATTRIBUTE(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES, PreferenceFields, alignments[3]),
    WARPFIBER_ATTRIBUTE(CUBLASLT_MATMUL_PREF_MAX_WAVES_COUNT, PreferenceFields, waves),
    WARPFIBER_ATTRIBUTE(CUBLASLT_MATMUL_PREF_IMPL_MASK, PreferenceFields, implementations),
};

/// A descriptor in words of the program.
template <class Fields, class Opaque>
cublasStatus_t begin(const char* function, Opaque* opaque, std::size_t size, const Fields& fields,
                     const void* returns_to = __builtin_return_address(0)) {
  return library_call<cublasStatus_t>(
      function,
      [&]() -> CublasResult {
        if (opaque == nullptr || size < sizeof *opaque) return null_descriptor();
        ::new (static_cast<void*>(opaque->data)) Fields(fields);
        return {};
      },
      returns_to);
}

template <class Fields, class Opaque>
cublasStatus_t create(const char* function, Opaque** opaque, const Fields& fields,
                      const void* returns_to = __builtin_return_address(0)) {
  return library_call<cublasStatus_t>(
      function,
      [&]() -> CublasResult {
        if (opaque == nullptr) return {CUBLAS_STATUS_INVALID_VALUE, ReasonKind::result_pointer_null};
        *opaque = new Opaque{};
        ::new (static_cast<void*>((*opaque)->data)) Fields(fields);
        return {};
      },
      returns_to);
}

template <class Opaque>
cublasStatus_t destroy(const char* function, Opaque* opaque, const void* returns_to = __builtin_return_address(0)) {
  return library_call<cublasStatus_t>(
      function,
      [&]() -> CublasResult {
        delete opaque;
        return {};
      },
      returns_to);
}

LayoutFields layout_of(cudaDataType type, std::uint64_t rows, std::uint64_t columns, std::int64_t leading) {
  LayoutFields fields;
  fields.type = type;
  fields.rows = rows;
  fields.columns = columns;
  fields.leading = leading;
  return fields;
}

MatmulFields matmul_of(cublasComputeType_t compute, cudaDataType scale) {
  MatmulFields fields;
  fields.compute = compute;
  fields.scale = scale;
  return fields;
}

}  // namespace
}  // namespace warpfiber::cuda_libraries

using namespace warpfiber::cuda_libraries;

extern "C" {

cublasStatus_t cublasLtMatrixLayoutInit_internal(cublasLtMatrixLayout_t layout, size_t size, cudaDataType type,
                                                 uint64_t rows, uint64_t cols, int64_t ld) {
  return begin(__func__, layout, size, layout_of(type, rows, cols, ld));
}
cublasStatus_t cublasLtMatrixLayoutCreate(cublasLtMatrixLayout_t* layout, cudaDataType type, uint64_t rows,
                                          uint64_t cols, int64_t ld) {
  return create(__func__, layout, layout_of(type, rows, cols, ld));
}
cublasStatus_t cublasLtMatrixLayoutDestroy(cublasLtMatrixLayout_t layout) {
  return destroy(__func__, layout);
}
cublasStatus_t cublasLtMatrixLayoutSetAttribute(cublasLtMatrixLayout_t layout, cublasLtMatrixLayoutAttribute_t attr,
                                                const void* buf, size_t size) {
  return set_attribute<LayoutFields>(__func__, kLayoutAttributes, layout, attr, buf, size);
}
cublasStatus_t cublasLtMatrixLayoutGetAttribute(cublasLtMatrixLayout_t layout, cublasLtMatrixLayoutAttribute_t attr,
                                                void* buf, size_t size, size_t* written) {
  return get_attribute<LayoutFields>(__func__, kLayoutAttributes, layout, attr, buf, size, written);
}

cublasStatus_t cublasLtMatmulDescInit_internal(cublasLtMatmulDesc_t desc, size_t size, cublasComputeType_t compute,
                                               cudaDataType scale) {
  return begin(__func__, desc, size, matmul_of(compute, scale));
}
cublasStatus_t cublasLtMatmulDescCreate(cublasLtMatmulDesc_t* desc, cublasComputeType_t compute, cudaDataType scale) {
  return create(__func__, desc, matmul_of(compute, scale));
}
cublasStatus_t cublasLtMatmulDescDestroy(cublasLtMatmulDesc_t desc) {
  return destroy(__func__, desc);
}
cublasStatus_t cublasLtMatmulDescSetAttribute(cublasLtMatmulDesc_t desc, cublasLtMatmulDescAttributes_t attr,
                                              const void* buf, size_t size) {
  return set_attribute<MatmulFields>(__func__, kMatmulAttributes, desc, attr, buf, size);
}
cublasStatus_t cublasLtMatmulDescGetAttribute(cublasLtMatmulDesc_t desc, cublasLtMatmulDescAttributes_t attr, void* buf,
                                              size_t size, size_t* written) {
  return get_attribute<MatmulFields>(__func__, kMatmulAttributes, desc, attr, buf, size, written);
}

cublasStatus_t cublasLtMatmulPreferenceInit_internal(cublasLtMatmulPreference_t pref, size_t size) {
  return begin(__func__, pref, size, PreferenceFields{});
}
cublasStatus_t cublasLtMatmulPreferenceCreate(cublasLtMatmulPreference_t* pref) {
  return create(__func__, pref, PreferenceFields{});
}
cublasStatus_t cublasLtMatmulPreferenceDestroy(cublasLtMatmulPreference_t pref) {
  return destroy(__func__, pref);
}
cublasStatus_t cublasLtMatmulPreferenceSetAttribute(cublasLtMatmulPreference_t pref,
                                                    cublasLtMatmulPreferenceAttributes_t attr, const void* buf,
                                                    size_t size) {
  return set_attribute<PreferenceFields>(__func__, kPreferenceAttributes, pref, attr, buf, size);
}
cublasStatus_t cublasLtMatmulPreferenceGetAttribute(cublasLtMatmulPreference_t pref,
                                                    cublasLtMatmulPreferenceAttributes_t attr, void* buf, size_t size,
                                                    size_t* written) {
  return get_attribute<PreferenceFields>(__func__, kPreferenceAttributes, pref, attr, buf, size, written);
}

}  // extern "C"
