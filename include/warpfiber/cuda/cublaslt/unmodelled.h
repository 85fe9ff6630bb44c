// SPDX-License-Identifier: Apache-2.0
// Functions of cuBLASLt that are not modelled: they return CUBLAS_STATUS_NOT_SUPPORTED. C++ only: what they are called
// with is not looked at.
#pragma once

#include <warpfiber/cuda/api/linkage.h>
#include <warpfiber/cuda/cublas/types.h>

// clang-format off
#define WARPFIBER_CUBLASLT_NOT_MODELLED_LIST(apply)  \
  apply(cublasLtMatrixTransform) apply(cublasLtMatrixTransformDescInit)  \
  apply(cublasLtMatrixTransformDescCreate) apply(cublasLtMatrixTransformDescDestroy)  \
  apply(cublasLtMatrixTransformDescSetAttribute) apply(cublasLtMatrixTransformDescGetAttribute)  \
  apply(cublasLtLoggerSetCallback) apply(cublasLtLoggerSetFile) \
  apply(cublasLtLoggerOpenFile) apply(cublasLtLoggerSetLevel) apply(cublasLtLoggerSetMask)  \
  apply(cublasLtLoggerForceDisable) apply(cublasLtHeuristicsCacheGetCapacity)  \
  apply(cublasLtHeuristicsCacheSetCapacity)
// clang-format on

#ifdef __cplusplus
#define WARPFIBER_CUBLASLT_DECLARE(function) cublasStatus_t function(...);
WARPFIBER_C_BEGIN
WARPFIBER_CUBLASLT_NOT_MODELLED_LIST(WARPFIBER_CUBLASLT_DECLARE)
WARPFIBER_C_END
#undef WARPFIBER_CUBLASLT_DECLARE
#endif
