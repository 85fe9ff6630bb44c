// SPDX-License-Identifier: Apache-2.0
// Functions of cuBLASLt that are not modelled: they return CUBLAS_STATUS_NOT_SUPPORTED. What they are called with is
// not looked at. C and C++.
#pragma once

#include <stdint.h>
#include <warpfiber/cuda/api/linkage.h>
#include <warpfiber/cuda/cublas/unmodelled.h>

typedef enum {
  CUBLASLT_MATRIX_TRANSFORM_DESC_SCALE_TYPE = 0,
  CUBLASLT_MATRIX_TRANSFORM_DESC_POINTER_MODE = 1,
  CUBLASLT_MATRIX_TRANSFORM_DESC_TRANSA = 2,
  CUBLASLT_MATRIX_TRANSFORM_DESC_TRANSB = 3,
} cublasLtMatrixTransformDescAttributes_t;

typedef struct {
  uint64_t data[8];
} cublasLtEmulationDescOpaque_t;
typedef cublasLtEmulationDescOpaque_t* cublasLtEmulationDesc_t;
typedef enum {
  CUBLASLT_EMULATION_DESC_STRATEGY = 0,
  CUBLASLT_EMULATION_DESC_SPECIAL_VALUES_SUPPORT = 1,
  CUBLASLT_EMULATION_DESC_FIXEDPOINT_MANTISSA_CONTROL = 2,
  CUBLASLT_EMULATION_DESC_FIXEDPOINT_MAX_MANTISSA_BIT_COUNT = 3,
  CUBLASLT_EMULATION_DESC_FIXEDPOINT_MANTISSA_BIT_OFFSET = 4,
  CUBLASLT_EMULATION_DESC_FIXEDPOINT_MANTISSA_BIT_COUNT_POINTER = 5,
} cublasLtEmulationDescAttributes_t;

typedef uint64_t cublasLtNumericalImplFlags_t;
typedef void (*cublasLtLoggerCallback_t)(int logLevel, const char* functionName, const char* message);

// clang-format off
#define WARPFIBER_CUBLASLT_NOT_MODELLED_LIST(apply)  \
  apply(cublasLtMatrixTransform) apply(cublasLtMatrixTransformDescInit)  \
  apply(cublasLtMatrixTransformDescCreate) apply(cublasLtMatrixTransformDescDestroy)  \
  apply(cublasLtMatrixTransformDescSetAttribute) apply(cublasLtMatrixTransformDescGetAttribute)  \
  apply(cublasLtLoggerSetCallback) apply(cublasLtLoggerSetFile) \
  apply(cublasLtLoggerOpenFile) apply(cublasLtLoggerSetLevel) apply(cublasLtLoggerSetMask)  \
  apply(cublasLtLoggerForceDisable) apply(cublasLtHeuristicsCacheGetCapacity)  \
  apply(cublasLtHeuristicsCacheSetCapacity) apply(cublasLtEmulationDescInit) apply(cublasLtEmulationDescCreate)  \
  apply(cublasLtEmulationDescDestroy) apply(cublasLtEmulationDescSetAttribute)  \
  apply(cublasLtEmulationDescGetAttribute)
// clang-format on

WARPFIBER_C_BEGIN
WARPFIBER_CUBLASLT_NOT_MODELLED_LIST(WARPFIBER_CUBLAS_DECLARE)
WARPFIBER_C_END
