// SPDX-License-Identifier: Apache-2.0
// What is right and wrong for arguments of cuBLAS, by their names.
#pragma once

#include <cublas_v2.h>

#include "probe.h"

/// `null_data`: whether pointers to elements are null once.
inline Arguments blas_arguments(cublasHandle_t handle, bool null_data) {
  const std::vector<long long> null = {0}, data = null_data ? null : std::vector<long long>{};
  cublasHandle_t other = nullptr;
  cublasCreate(&other);
  return {
      {"handle", fixed(handle), null},
      {"other", fixed(other), null},  // its modes are changed
      {"trans transa transb", fixed(CUBLAS_OP_N), {-1, 3, 4}},
      {"uplo", fixed(CUBLAS_FILL_MODE_LOWER), {-1, 2, 3}},
      {"diag", fixed(CUBLAS_DIAG_NON_UNIT), {-1, 2}},
      {"side", fixed(CUBLAS_SIDE_LEFT), {-1, 2}},
      {"m n k rows cols nrhs", fixed(4), {-1, 0}},
      {"kl ku diagonals", fixed(1), {-1, 0}},
      {"lda ldb ldc", fixed(4), {-1, 0, 1, 3}},
      {"incx incy", fixed(1), {0, -1}},
      {"batch", fixed(2), {-1, 0}},
      {"strideA strideB strideC", fixed(16), {-1}},
      {"alpha beta c s param a b d1 d2 x1 y1", fixed(host_ones()), null},
      {"result", fixed(host_zeros()), null},
      {"info", fixed(host_zeros()), null},
      {"A B C AP", fixed(device_zeros(kRoom)), data},
      {"x", fixed(device_zeros(kRoom)), data},
      {"y", fixed(device_zeros(kRoom)), data},
      {"Aarray", fixed(device_batch()), data},
      {"Barray", fixed(device_batch()), data},
      {"Carray", fixed(device_batch()), data},
      {"pivots", fixed(device_copy(std::vector<int>(64, 1))), data},
      {"dinfo", fixed(device_zeros(kRoom)), data},
      {"type", fixed(CUDA_R_32F), {-1, 1, 999}},
      {"sums", fixed(CUBLAS_COMPUTE_32F), {-1, 0, 70, 999}},
      {"algorithm", fixed(CUBLAS_GEMM_DEFAULT), {-2, 50, 120, 1000}},
      {"mode", fixed(0), {-1, 2}},
      {"math", fixed(0), {-1, 5, 9, 32, 999}},
      {"size", fixed(4), {-1, 0}},
      {"from", fixed(host_zeros()), data},
      {"to", fixed(device_zeros(kRoom)), data},
      {"got version value", fixed(host_zeros()), null},
      {"property", fixed(0), {-1, 3}},
      {"stream", fixed(0), {}},
      {"workspace", fixed(device_zeros(kRoom)), null},
      {"bytes", fixed(kRoom), {0, 1}},
      {"null", fixed(0), {}},
  };
}

#define CALL(function, names) probe("cublas" #function, cublas##function, names)
#define CALL_BOTH(function, names) CALL(function, names), CALL(function##_64, names)
/// In all types; pointers to elements are null in one of them.
#define CALL_TYPES(function, names)                                                  \
  probe.know(with_null), CALL(S##function, names), probe.know(usual),                 \
      CALL(D##function, names), CALL(C##function, names), CALL(Z##function, names)
#define CALL_ALL(function, names)                                                                              \
  CALL_TYPES(function, names), CALL(S##function##_64, names), CALL(D##function##_64, names),                    \
      CALL(C##function##_64, names), CALL(Z##function##_64, names)
