// SPDX-License-Identifier: Apache-2.0
// What descriptors of cuBLASLt hold. The program sees opaque words, in which these lie, and may keep them where it
// likes.
#pragma once

#include <warpfiber/cuda/cublaslt/host_api.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>

namespace warpfiber::cuda_libraries {

struct LayoutFields {
  std::int32_t type = CUDA_R_32F;
  std::int32_t order = CUBLASLT_ORDER_COL;
  std::uint64_t rows = 0;
  std::uint64_t columns = 0;
  std::int64_t leading = 0;
  std::int32_t count = 1;
  std::int64_t distance = 0;  // of matrices of a batch, in elements
  std::int64_t plane = 0;
};

struct MatmulFields {
  std::int32_t compute = CUBLAS_COMPUTE_32F;
  std::int32_t scale = CUDA_R_32F;
  std::int32_t pointer_mode = CUBLASLT_POINTER_MODE_HOST;
  std::int32_t operation_of_a = CUBLAS_OP_N;
  std::int32_t operation_of_b = CUBLAS_OP_N;
  std::int32_t operation_of_c = CUBLAS_OP_N;
  std::int32_t fill_mode = CUBLAS_FILL_MODE_FULL;
  std::uint32_t epilogue = CUBLASLT_EPILOGUE_DEFAULT;
  void* bias = nullptr;
  std::int64_t bias_distance = 0;
  void* inputs = nullptr;  // the auxiliary matrix
  std::int64_t inputs_leading = 0;
  std::int64_t inputs_distance = 0;
  std::int64_t alpha_distance = 0;
  std::int32_t multiprocessors = 0;
  std::int8_t fast_accumulation = 0;
  std::int32_t bias_type = -1;
  std::int32_t inputs_type = -1;
  const float* scale_of_a = nullptr;
  const float* scale_of_b = nullptr;
  const float* scale_of_c = nullptr;
  const float* scale_of_d = nullptr;
  float* largest_of_d = nullptr;
  const float* scale_of_inputs = nullptr;
  float* largest_of_inputs = nullptr;
  void* scales_stored = nullptr;
  std::int32_t scale_modes[5] = {};  // of A, B, C, D, the auxiliary matrix
  std::int32_t stored_scale_mode = 0;
};

struct PreferenceFields {
  std::uint32_t search = CUBLASLT_SEARCH_BEST_FIT;
  std::uint64_t workspace = 0;
  std::uint32_t reductions = CUBLASLT_REDUCTION_SCHEME_MASK;
  std::uint32_t alignments[4] = {256, 256, 256, 256};
  float waves = 0;
  std::uint64_t implementations = ~std::uint64_t{0};
};

/// What an algorithm is set to, which changes nothing.
struct AlgorithmFields {
  std::int32_t number = 0;
  std::uint32_t tile = CUBLASLT_MATMUL_TILE_UNDEFINED;
  std::int32_t splits = 1;
  std::uint32_t reduction = CUBLASLT_REDUCTION_SCHEME_NONE;
  std::uint32_t swizzling = 0;
  std::uint32_t custom_option = 0;
  std::uint32_t stages = CUBLASLT_MATMUL_STAGES_UNDEFINED;
  std::uint16_t inner_shape = CUBLASLT_MATMUL_INNER_SHAPE_UNDEFINED;
  std::uint16_t cluster_shape = CUBLASLT_CLUSTER_SHAPE_AUTO;
};

template <class Fields, class Opaque>
Fields* fields_in(Opaque* opaque) {
  static_assert(sizeof(Fields) <= sizeof(Opaque));
  return std::launder(reinterpret_cast<Fields*>(opaque->data));
}

inline const LayoutFields* fields_of(cublasLtMatrixLayout_t layout) {
  return layout == nullptr ? nullptr : fields_in<LayoutFields>(layout);
}
inline const MatmulFields* fields_of(cublasLtMatmulDesc_t desc) {
  return desc == nullptr ? nullptr : fields_in<MatmulFields>(desc);
}

}  // namespace warpfiber::cuda_libraries
