// SPDX-License-Identifier: Apache-2.0
// Functions of cuBLAS whose types are arguments: vectors in half, bfloat16, single and double precision, real and
// complex. Sums are added in float where elements have 16 bits. Also rotations of complex vectors. Source: cuBLAS
// reference, level 1. C and C++.
#pragma once

#include <stdint.h>
#include <warpfiber/cuda/api/library_types.h>
#include <warpfiber/cuda/api/linkage.h>
#include <warpfiber/cuda/api/vector_types.h>
#include <warpfiber/cuda/cublas/types.h>

WARPFIBER_C_BEGIN

#define WARPFIBER_CUBLAS_TYPED_VECTORS(Int, wide)                                                                      \
  cublasStatus_t cublasAxpyEx##wide(cublasHandle_t handle, Int n, const void* alpha, cudaDataType alphaType,           \
                                    const void* x, cudaDataType xType, Int incx, void* y, cudaDataType yType,          \
                                    Int incy, cudaDataType executionType);                                             \
  cublasStatus_t cublasScalEx##wide(cublasHandle_t handle, Int n, const void* alpha, cudaDataType alphaType, void* x,  \
                                    cudaDataType xType, Int incx, cudaDataType executionType);                         \
  cublasStatus_t cublasDotEx##wide(cublasHandle_t handle, Int n, const void* x, cudaDataType xType, Int incx,          \
                                   const void* y, cudaDataType yType, Int incy, void* result, cudaDataType resultType, \
                                   cudaDataType executionType);                                                        \
  cublasStatus_t cublasDotcEx##wide(cublasHandle_t handle, Int n, const void* x, cudaDataType xType, Int incx,         \
                                    const void* y, cudaDataType yType, Int incy, void* result,                         \
                                    cudaDataType resultType, cudaDataType executionType);                              \
  cublasStatus_t cublasNrm2Ex##wide(cublasHandle_t handle, Int n, const void* x, cudaDataType xType, Int incx,         \
                                    void* result, cudaDataType resultType, cudaDataType executionType);                \
  cublasStatus_t cublasAsumEx##wide(cublasHandle_t handle, Int n, const void* x, cudaDataType xType, Int incx,         \
                                    void* result, cudaDataType resultType, cudaDataType executionType);                \
  cublasStatus_t cublasCopyEx##wide(cublasHandle_t handle, Int n, const void* x, cudaDataType xType, Int incx,         \
                                    void* y, cudaDataType yType, Int incy);                                            \
  cublasStatus_t cublasSwapEx##wide(cublasHandle_t handle, Int n, void* x, cudaDataType xType, Int incx, void* y,      \
                                    cudaDataType yType, Int incy);                                                     \
  cublasStatus_t cublasIamaxEx##wide(cublasHandle_t handle, Int n, const void* x, cudaDataType xType, Int incx,        \
                                     Int* result);                                                                     \
  cublasStatus_t cublasIaminEx##wide(cublasHandle_t handle, Int n, const void* x, cudaDataType xType, Int incx,        \
                                     Int* result);                                                                     \
  cublasStatus_t cublasRotEx##wide(cublasHandle_t handle, Int n, void* x, cudaDataType xType, Int incx, void* y,       \
                                   cudaDataType yType, Int incy, const void* c, const void* s, cudaDataType csType,    \
                                   cudaDataType executionType);                                                        \
  cublasStatus_t cublasRotmEx##wide(cublasHandle_t handle, Int n, void* x, cudaDataType xType, Int incx, void* y,      \
                                    cudaDataType yType, Int incy, const void* param, cudaDataType paramType,           \
                                    cudaDataType executionType);                                                       \
  cublasStatus_t cublasCrot##wide(cublasHandle_t handle, Int n, float2* x, Int incx, float2* y, Int incy,              \
                                  const float* c, const float2* s);                                                    \
  cublasStatus_t cublasZrot##wide(cublasHandle_t handle, Int n, double2* x, Int incx, double2* y, Int incy,            \
                                  const double* c, const double2* s);                                                  \
  cublasStatus_t cublasCsrot##wide(cublasHandle_t handle, Int n, float2* x, Int incx, float2* y, Int incy,             \
                                   const float* c, const float* s);                                                    \
  cublasStatus_t cublasZdrot##wide(cublasHandle_t handle, Int n, double2* x, Int incx, double2* y, Int incy,           \
                                   const double* c, const double* s);
WARPFIBER_CUBLAS_TYPED_VECTORS(int, )
WARPFIBER_CUBLAS_TYPED_VECTORS(int64_t, _64)
#undef WARPFIBER_CUBLAS_TYPED_VECTORS

cublasStatus_t cublasRotgEx(cublasHandle_t handle, void* a, void* b, cudaDataType abType, void* c, void* s,
                            cudaDataType csType, cudaDataType executionType);
cublasStatus_t cublasRotmgEx(cublasHandle_t handle, void* d1, cudaDataType d1Type, void* d2, cudaDataType d2Type,
                             void* x1, cudaDataType x1Type, const void* y1, cudaDataType y1Type, void* param,
                             cudaDataType paramType, cudaDataType executionType);

WARPFIBER_C_END
