// SPDX-License-Identifier: Apache-2.0
// Products of several types as before CUDA 11, where a type of data says what they are computed in. C++ only.
#pragma once

#include <warpfiber/cuda/cublas/host_api.h>

/// What computes in `type`; CUBLAS_STATUS_NOT_SUPPORTED where nothing does.
inline cublasStatus_t cublasMigrateComputeType(cublasHandle_t handle, cudaDataType type,
                                               cublasComputeType_t* computeType) {
  cublasMath_t mode = CUBLAS_DEFAULT_MATH;
  const cublasStatus_t status = cublasGetMathMode(handle, &mode);
  if (status != CUBLAS_STATUS_SUCCESS) return status;
  const bool pedantic = (mode & 0xf) == CUBLAS_PEDANTIC_MATH;
  switch (type) {
    case CUDA_R_16F: *computeType = pedantic ? CUBLAS_COMPUTE_16F_PEDANTIC : CUBLAS_COMPUTE_16F; break;
    case CUDA_R_32F:
    case CUDA_C_32F: *computeType = pedantic ? CUBLAS_COMPUTE_32F_PEDANTIC : CUBLAS_COMPUTE_32F; break;
    case CUDA_R_64F:
    case CUDA_C_64F: *computeType = pedantic ? CUBLAS_COMPUTE_64F_PEDANTIC : CUBLAS_COMPUTE_64F; break;
    case CUDA_R_32I: *computeType = pedantic ? CUBLAS_COMPUTE_32I_PEDANTIC : CUBLAS_COMPUTE_32I; break;
    default: return CUBLAS_STATUS_NOT_SUPPORTED;
  }
  return CUBLAS_STATUS_SUCCESS;
}

inline cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m,
                                   int n, int k, const void* alpha, const void* A, cudaDataType Atype, int lda,
                                   const void* B, cudaDataType Btype, int ldb, const void* beta, void* C,
                                   cudaDataType Ctype, int ldc, cudaDataType computeType, cublasGemmAlgo_t algo) {
  cublasComputeType_t in = CUBLAS_COMPUTE_32F;
  const cublasStatus_t status = cublasMigrateComputeType(handle, computeType, &in);
  if (status != CUBLAS_STATUS_SUCCESS) return status;
  return cublasGemmEx(handle, transa, transb, m, n, k, alpha, A, Atype, lda, B, Btype, ldb, beta, C, Ctype, ldc, in,
                      algo);
}
inline cublasStatus_t cublasGemmStridedBatchedEx(cublasHandle_t handle, cublasOperation_t transa,
                                                 cublasOperation_t transb, int m, int n, int k, const void* alpha,
                                                 const void* A, cudaDataType Atype, int lda, long long int strideA,
                                                 const void* B, cudaDataType Btype, int ldb, long long int strideB,
                                                 const void* beta, void* C, cudaDataType Ctype, int ldc,
                                                 long long int strideC, int batchCount, cudaDataType computeType,
                                                 cublasGemmAlgo_t algo) {
  cublasComputeType_t in = CUBLAS_COMPUTE_32F;
  const cublasStatus_t status = cublasMigrateComputeType(handle, computeType, &in);
  if (status != CUBLAS_STATUS_SUCCESS) return status;
  return cublasGemmStridedBatchedEx(handle, transa, transb, m, n, k, alpha, A, Atype, lda, strideA, B, Btype, ldb,
                                    strideB, beta, C, Ctype, ldc, strideC, batchCount, in, algo);
}
inline cublasStatus_t cublasGemmBatchedEx(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb,
                                          int m, int n, int k, const void* alpha, const void* const Aarray[],
                                          cudaDataType Atype, int lda, const void* const Barray[], cudaDataType Btype,
                                          int ldb, const void* beta, void* const Carray[], cudaDataType Ctype, int ldc,
                                          int batchCount, cudaDataType computeType, cublasGemmAlgo_t algo) {
  cublasComputeType_t in = CUBLAS_COMPUTE_32F;
  const cublasStatus_t status = cublasMigrateComputeType(handle, computeType, &in);
  if (status != CUBLAS_STATUS_SUCCESS) return status;
  return cublasGemmBatchedEx(handle, transa, transb, m, n, k, alpha, Aarray, Atype, lda, Barray, Btype, ldb, beta,
                             Carray, Ctype, ldc, batchCount, in, algo);
}
