// SPDX-License-Identifier: Apache-2.0
// Functions of cuBLAS that are not modelled: they return CUBLAS_STATUS_NOT_SUPPORTED. What they are called with is not
// looked at. C and C++.
#pragma once

#include <warpfiber/cuda/api/linkage.h>
#include <warpfiber/cuda/cublas/types.h>

// clang-format off
#define WARPFIBER_CUBLAS_NOT_MODELLED_LIST(apply)                                                                \
  WARPFIBER_FOR_EACH_TYPE(apply, cublas, geqrfBatched) WARPFIBER_FOR_EACH_TYPE(apply, cublas, gelsBatched)       \
  WARPFIBER_FOR_EACH_TYPE(apply, cublas, gemvBatched) WARPFIBER_FOR_EACH_TYPE(apply, cublas, gemvStridedBatched) \
  apply(cublasHSHgemvBatched) apply(cublasHSHgemvStridedBatched) apply(cublasHSSgemvBatched)                     \
  apply(cublasHSSgemvStridedBatched) apply(cublasTSTgemvBatched) apply(cublasTSTgemvStridedBatched)              \
  apply(cublasTSSgemvBatched) apply(cublasTSSgemvStridedBatched) apply(cublasCgemm3m) apply(cublasZgemm3m)       \
  apply(cublasCgemm3mEx) apply(cublasCgemm3mBatched) apply(cublasCgemm3mStridedBatched) apply(cublasCgemmEx)     \
  apply(cublasCsyrkEx) apply(cublasCsyrk3mEx) apply(cublasCherkEx) apply(cublasCherk3mEx)                        \
  apply(cublasUint8gemmBias) apply(cublasSetSmCountTarget) apply(cublasGetSmCountTarget)                         \
  apply(cublasLoggerConfigure) apply(cublasSetLoggerCallback) apply(cublasGetLoggerCallback)                     \
  apply(cublasGemmGroupedBatchedEx) apply(cublasSgemmGroupedBatched) apply(cublasDgemmGroupedBatched)            \
  apply(cublasSetEmulationStrategy) apply(cublasGetEmulationStrategy)                                            \
  apply(cublasSetEmulationSpecialValuesSupport) apply(cublasGetEmulationSpecialValuesSupport)                    \
  apply(cublasSetFixedPointEmulationMantissaControl) apply(cublasGetFixedPointEmulationMantissaControl)          \
  apply(cublasSetFixedPointEmulationMaxMantissaBitCount) apply(cublasGetFixedPointEmulationMaxMantissaBitCount)  \
  apply(cublasSetFixedPointEmulationMantissaBitOffset) apply(cublasGetFixedPointEmulationMantissaBitOffset)      \
  apply(cublasSetFixedPointEmulationMantissaBitCountPointer)                                                     \
  apply(cublasGetFixedPointEmulationMantissaBitCountPointer)

// Their forms with sizes of 64 bits.
#define WARPFIBER_CUBLAS_WIDE_NOT_MODELLED_LIST(apply)                                                            \
  WARPFIBER_FOR_EACH_TYPE(apply, cublas, gemvBatched_64)                                                          \
  WARPFIBER_FOR_EACH_TYPE(apply, cublas, gemvStridedBatched_64)                                                   \
  WARPFIBER_FOR_EACH_TYPE(apply, cublas, trsmBatched_64) apply(cublasCgemm3mBatched_64)                           \
  apply(cublasCgemm3mEx_64) apply(cublasCgemm3mStridedBatched_64) apply(cublasCgemm3m_64)                         \
  apply(cublasCgemmEx_64) apply(cublasCherk3mEx_64) apply(cublasCherkEx_64) apply(cublasCsyrk3mEx_64)             \
  apply(cublasCsyrkEx_64) apply(cublasDgemmGroupedBatched_64) apply(cublasGemmGroupedBatchedEx_64)                \
  apply(cublasHSHgemvBatched_64) apply(cublasHSHgemvStridedBatched_64) apply(cublasHSSgemvBatched_64)             \
  apply(cublasHSSgemvStridedBatched_64) apply(cublasSgemmGroupedBatched_64) apply(cublasTSSgemvBatched_64)        \
  apply(cublasTSSgemvStridedBatched_64) apply(cublasTSTgemvBatched_64) apply(cublasTSTgemvStridedBatched_64)      \
  apply(cublasZgemm3m_64)

// cuBLASXt: products on several devices.
#define WARPFIBER_CUBLAS_SEVERAL_DEVICES_LIST(apply)                                                                   \
  WARPFIBER_FOR_EACH_TYPE(apply, cublasXt, spmm) apply(cublasXtSetCpuRatio) apply(cublasXtSetCpuRoutine)
// clang-format on

#define WARPFIBER_CUBLAS_DECLARE(function) cublasStatus_t function WARPFIBER_ANY_ARGUMENTS;
WARPFIBER_C_BEGIN
WARPFIBER_CUBLAS_NOT_MODELLED_LIST(WARPFIBER_CUBLAS_DECLARE)
WARPFIBER_CUBLAS_WIDE_NOT_MODELLED_LIST(WARPFIBER_CUBLAS_DECLARE)
WARPFIBER_C_END
