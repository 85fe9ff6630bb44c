// SPDX-License-Identifier: Apache-2.0
// Functions of cuBLAS that are not modelled: they return CUBLAS_STATUS_NOT_SUPPORTED. C++ only: what they are called
// with is not looked at.
#pragma once

#include <warpfiber/cuda/api/linkage.h>
#include <warpfiber/cuda/cublas/types.h>

// clang-format off
#define WARPFIBER_CUBLAS_NOT_MODELLED_OF(apply, name) \
  apply(cublasS##name) apply(cublasD##name) apply(cublasC##name) apply(cublasZ##name)
#define WARPFIBER_CUBLAS_NOT_MODELLED_LIST(apply)                                                  \
  apply(cublasCrot) apply(cublasZrot)   \
  apply(cublasCsrot) apply(cublasZdrot) apply(cublasAxpyEx) apply(cublasScalEx) apply(cublasDotEx) \
  apply(cublasDotcEx) apply(cublasNrm2Ex) apply(cublasAsumEx) apply(cublasCopyEx)                  \
  apply(cublasSwapEx) apply(cublasIamaxEx) apply(cublasIaminEx) apply(cublasRotEx)                 \
  apply(cublasRotgEx) apply(cublasRotmEx) apply(cublasRotmgEx)                                     \
  WARPFIBER_CUBLAS_NOT_MODELLED_OF(apply, geqrfBatched)                                            \
  WARPFIBER_CUBLAS_NOT_MODELLED_OF(apply, gelsBatched)                                             \
  WARPFIBER_CUBLAS_NOT_MODELLED_OF(apply, gemvBatched)                                             \
  WARPFIBER_CUBLAS_NOT_MODELLED_OF(apply, gemvStridedBatched) apply(cublasCgemm3m)                 \
  apply(cublasZgemm3m) apply(cublasCgemmEx) apply(cublasCsyrkEx) apply(cublasCherkEx)              \
  apply(cublasSetSmCountTarget) apply(cublasGetSmCountTarget) apply(cublasLoggerConfigure)         \
  apply(cublasSetLoggerCallback) apply(cublasGetLoggerCallback) apply(cublasGemmGroupedBatchedEx)  \
  apply(cublasSgemmGroupedBatched) apply(cublasDgemmGroupedBatched)
// clang-format on

#ifdef __cplusplus
#define WARPFIBER_CUBLAS_DECLARE(function) cublasStatus_t function(...);
WARPFIBER_C_BEGIN
WARPFIBER_CUBLAS_NOT_MODELLED_LIST(WARPFIBER_CUBLAS_DECLARE)
WARPFIBER_C_END
#undef WARPFIBER_CUBLAS_DECLARE
#endif
