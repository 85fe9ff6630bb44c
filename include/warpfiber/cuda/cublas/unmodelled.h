// SPDX-License-Identifier: Apache-2.0
// Functions of cuBLAS that are not modelled: they return CUBLAS_STATUS_NOT_SUPPORTED. C++ only: what they are called
// with is not looked at.
#pragma once

#include <warpfiber/cuda/api/linkage.h>
#include <warpfiber/cuda/cublas/types.h>

// clang-format off
#define WARPFIBER_CUBLAS_NOT_MODELLED_OF(apply, name) \
  apply(cublasS##name) apply(cublasD##name) apply(cublasC##name) apply(cublasZ##name)
#define WARPFIBER_CUBLAS_NOT_MODELLED_LIST(apply)                                                      \
  apply(cublasSrotg) apply(cublasDrotg) apply(cublasCrotg) apply(cublasZrotg)                          \
  apply(cublasSrotm) apply(cublasDrotm) apply(cublasSrotmg) apply(cublasDrotmg)                        \
  apply(cublasCrot) apply(cublasZrot) apply(cublasCsrot) apply(cublasZdrot)                            \
  apply(cublasAxpyEx) apply(cublasScalEx) apply(cublasDotEx) apply(cublasDotcEx) apply(cublasNrm2Ex)   \
  apply(cublasAsumEx) apply(cublasCopyEx) apply(cublasSwapEx) apply(cublasIamaxEx)                     \
  apply(cublasIaminEx) apply(cublasRotEx) apply(cublasRotgEx) apply(cublasRotmEx) apply(cublasRotmgEx) \
  WARPFIBER_CUBLAS_NOT_MODELLED_OF(apply, gbmv) WARPFIBER_CUBLAS_NOT_MODELLED_OF(apply, tbmv)          \
  WARPFIBER_CUBLAS_NOT_MODELLED_OF(apply, tbsv) WARPFIBER_CUBLAS_NOT_MODELLED_OF(apply, tpmv)          \
  WARPFIBER_CUBLAS_NOT_MODELLED_OF(apply, tpsv) WARPFIBER_CUBLAS_NOT_MODELLED_OF(apply, syr)           \
  WARPFIBER_CUBLAS_NOT_MODELLED_OF(apply, syr2) WARPFIBER_CUBLAS_NOT_MODELLED_OF(apply, syr2k)         \
  WARPFIBER_CUBLAS_NOT_MODELLED_OF(apply, syrkx) WARPFIBER_CUBLAS_NOT_MODELLED_OF(apply, trsmBatched)  \
  WARPFIBER_CUBLAS_NOT_MODELLED_OF(apply, getrfBatched)                                                \
  WARPFIBER_CUBLAS_NOT_MODELLED_OF(apply, getriBatched)                                                \
  WARPFIBER_CUBLAS_NOT_MODELLED_OF(apply, getrsBatched)                                                \
  WARPFIBER_CUBLAS_NOT_MODELLED_OF(apply, matinvBatched)                                               \
  WARPFIBER_CUBLAS_NOT_MODELLED_OF(apply, geqrfBatched)                                                \
  WARPFIBER_CUBLAS_NOT_MODELLED_OF(apply, gelsBatched)                                                 \
  WARPFIBER_CUBLAS_NOT_MODELLED_OF(apply, gemvBatched)                                                 \
  WARPFIBER_CUBLAS_NOT_MODELLED_OF(apply, gemvStridedBatched)                                          \
  apply(cublasSsbmv) apply(cublasDsbmv) apply(cublasSspmv) apply(cublasDspmv) apply(cublasSspr)        \
  apply(cublasDspr) apply(cublasSspr2) apply(cublasDspr2) apply(cublasChbmv) apply(cublasZhbmv)        \
  apply(cublasChpmv) apply(cublasZhpmv) apply(cublasCher) apply(cublasZher) apply(cublasCher2)         \
  apply(cublasZher2) apply(cublasChpr) apply(cublasZhpr) apply(cublasChpr2) apply(cublasZhpr2)         \
  apply(cublasCher2k) apply(cublasZher2k) apply(cublasCherkx) apply(cublasZherkx)                      \
  apply(cublasCgemm3m) apply(cublasZgemm3m) apply(cublasCgemmEx) apply(cublasCsyrkEx)                  \
  apply(cublasCherkEx) WARPFIBER_CUBLAS_NOT_MODELLED_OF(apply, tpttr)                                  \
  WARPFIBER_CUBLAS_NOT_MODELLED_OF(apply, trttp) apply(cublasSetSmCountTarget)                         \
  apply(cublasGetSmCountTarget) apply(cublasLoggerConfigure) apply(cublasSetLoggerCallback)            \
  apply(cublasGetLoggerCallback) apply(cublasGemmGroupedBatchedEx) apply(cublasSgemmGroupedBatched)    \
  apply(cublasDgemmGroupedBatched)
// clang-format on

#ifdef __cplusplus
#define WARPFIBER_CUBLAS_DECLARE(function) cublasStatus_t function(...);
WARPFIBER_C_BEGIN
WARPFIBER_CUBLAS_NOT_MODELLED_LIST(WARPFIBER_CUBLAS_DECLARE)
WARPFIBER_C_END
#undef WARPFIBER_CUBLAS_DECLARE
#endif
