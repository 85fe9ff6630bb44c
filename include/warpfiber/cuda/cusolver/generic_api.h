// SPDX-License-Identifier: Apache-2.0
// The functions of cuSOLVER for dense matrices that take types by number and have sizes of 64 bits. C and C++.
#pragma once

#include <warpfiber/cuda/cusolver/dense_api.h>

WARPFIBER_C_BEGIN

cusolverStatus_t cusolverDnCreateParams(cusolverDnParams_t* params);
cusolverStatus_t cusolverDnDestroyParams(cusolverDnParams_t params);
cusolverStatus_t cusolverDnSetAdvOptions(cusolverDnParams_t params, cusolverDnFunction_t function,
                                         cusolverAlgMode_t algo);
cusolverStatus_t cusolverDnXpotrf_bufferSize(cusolverDnHandle_t handle, cusolverDnParams_t params,
                                             cublasFillMode_t uplo, int64_t n, cudaDataType dataTypeA, const void* A,
                                             int64_t lda, cudaDataType computeType, size_t* workspaceInBytesOnDevice,
                                             size_t* workspaceInBytesOnHost);
cusolverStatus_t cusolverDnXpotrf(cusolverDnHandle_t handle, cusolverDnParams_t params, cublasFillMode_t uplo,
                                  int64_t n, cudaDataType dataTypeA, void* A, int64_t lda, cudaDataType computeType,
                                  void* bufferOnDevice, size_t workspaceInBytesOnDevice, void* bufferOnHost,
                                  size_t workspaceInBytesOnHost, int* devInfo);
cusolverStatus_t cusolverDnXpotrs(cusolverDnHandle_t handle, cusolverDnParams_t params, cublasFillMode_t uplo,
                                  int64_t n, int64_t nrhs, cudaDataType dataTypeA, const void* A, int64_t lda,
                                  cudaDataType dataTypeB, void* B, int64_t ldb, int* devInfo);
cusolverStatus_t cusolverDnXgetrf_bufferSize(cusolverDnHandle_t handle, cusolverDnParams_t params, int64_t m, int64_t n,
                                             cudaDataType dataTypeA, const void* A, int64_t lda,
                                             cudaDataType computeType, size_t* workspaceInBytesOnDevice,
                                             size_t* workspaceInBytesOnHost);
cusolverStatus_t cusolverDnXgetrf(cusolverDnHandle_t handle, cusolverDnParams_t params, int64_t m, int64_t n,
                                  cudaDataType dataTypeA, void* A, int64_t lda, int64_t* devIpiv,
                                  cudaDataType computeType, void* bufferOnDevice, size_t workspaceInBytesOnDevice,
                                  void* bufferOnHost, size_t workspaceInBytesOnHost, int* devInfo);
cusolverStatus_t cusolverDnXgetrs(cusolverDnHandle_t handle, cusolverDnParams_t params, cublasOperation_t trans,
                                  int64_t n, int64_t nrhs, cudaDataType dataTypeA, const void* A, int64_t lda,
                                  const int64_t* devIpiv, cudaDataType dataTypeB, void* B, int64_t ldb, int* devInfo);
cusolverStatus_t cusolverDnXgeqrf_bufferSize(cusolverDnHandle_t handle, cusolverDnParams_t params, int64_t m, int64_t n,
                                             cudaDataType dataTypeA, const void* A, int64_t lda,
                                             cudaDataType dataTypeTau, const void* tau, cudaDataType computeType,
                                             size_t* workspaceInBytesOnDevice, size_t* workspaceInBytesOnHost);
cusolverStatus_t cusolverDnXgeqrf(cusolverDnHandle_t handle, cusolverDnParams_t params, int64_t m, int64_t n,
                                  cudaDataType dataTypeA, void* A, int64_t lda, cudaDataType dataTypeTau, void* tau,
                                  cudaDataType computeType, void* bufferOnDevice, size_t workspaceInBytesOnDevice,
                                  void* bufferOnHost, size_t workspaceInBytesOnHost, int* devInfo);
cusolverStatus_t cusolverDnXsyevd_bufferSize(cusolverDnHandle_t handle, cusolverDnParams_t params,
                                             cusolverEigMode_t jobz, cublasFillMode_t uplo, int64_t n,
                                             cudaDataType dataTypeA, const void* A, int64_t lda, cudaDataType dataTypeW,
                                             const void* W, cudaDataType computeType, size_t* workspaceInBytesOnDevice,
                                             size_t* workspaceInBytesOnHost);
cusolverStatus_t cusolverDnXsyevd(cusolverDnHandle_t handle, cusolverDnParams_t params, cusolverEigMode_t jobz,
                                  cublasFillMode_t uplo, int64_t n, cudaDataType dataTypeA, void* A, int64_t lda,
                                  cudaDataType dataTypeW, void* W, cudaDataType computeType, void* bufferOnDevice,
                                  size_t workspaceInBytesOnDevice, void* bufferOnHost, size_t workspaceInBytesOnHost,
                                  int* devInfo);
cusolverStatus_t cusolverDnXsyevdx_bufferSize(cusolverDnHandle_t handle, cusolverDnParams_t params,
                                              cusolverEigMode_t jobz, cusolverEigRange_t range, cublasFillMode_t uplo,
                                              int64_t n, cudaDataType dataTypeA, const void* A, int64_t lda, void* vl,
                                              void* vu, int64_t il, int64_t iu, int64_t* meig64, cudaDataType dataTypeW,
                                              const void* W, cudaDataType computeType, size_t* workspaceInBytesOnDevice,
                                              size_t* workspaceInBytesOnHost);
cusolverStatus_t cusolverDnXsyevdx(cusolverDnHandle_t handle, cusolverDnParams_t params, cusolverEigMode_t jobz,
                                   cusolverEigRange_t range, cublasFillMode_t uplo, int64_t n, cudaDataType dataTypeA,
                                   void* A, int64_t lda, void* vl, void* vu, int64_t il, int64_t iu, int64_t* meig64,
                                   cudaDataType dataTypeW, void* W, cudaDataType computeType, void* bufferOnDevice,
                                   size_t workspaceInBytesOnDevice, void* bufferOnHost, size_t workspaceInBytesOnHost,
                                   int* devInfo);
cusolverStatus_t cusolverDnXgesvd_bufferSize(cusolverDnHandle_t handle, cusolverDnParams_t params, signed char jobu,
                                             signed char jobvt, int64_t m, int64_t n, cudaDataType dataTypeA,
                                             const void* A, int64_t lda, cudaDataType dataTypeS, const void* S,
                                             cudaDataType dataTypeU, const void* U, int64_t ldu,
                                             cudaDataType dataTypeVT, const void* VT, int64_t ldvt,
                                             cudaDataType computeType, size_t* workspaceInBytesOnDevice,
                                             size_t* workspaceInBytesOnHost);
cusolverStatus_t cusolverDnXgesvd(cusolverDnHandle_t handle, cusolverDnParams_t params, signed char jobu,
                                  signed char jobvt, int64_t m, int64_t n, cudaDataType dataTypeA, void* A, int64_t lda,
                                  cudaDataType dataTypeS, void* S, cudaDataType dataTypeU, void* U, int64_t ldu,
                                  cudaDataType dataTypeVT, void* VT, int64_t ldvt, cudaDataType computeType,
                                  void* bufferOnDevice, size_t workspaceInBytesOnDevice, void* bufferOnHost,
                                  size_t workspaceInBytesOnHost, int* devInfo);
cusolverStatus_t cusolverDnXgesvdp_bufferSize(cusolverDnHandle_t handle, cusolverDnParams_t params,
                                              cusolverEigMode_t jobz, int econ, int64_t m, int64_t n,
                                              cudaDataType dataTypeA, const void* A, int64_t lda,
                                              cudaDataType dataTypeS, const void* S, cudaDataType dataTypeU,
                                              const void* U, int64_t ldu, cudaDataType dataTypeV, const void* V,
                                              int64_t ldv, cudaDataType computeType, size_t* workspaceInBytesOnDevice,
                                              size_t* workspaceInBytesOnHost);
cusolverStatus_t cusolverDnXgesvdp(cusolverDnHandle_t handle, cusolverDnParams_t params, cusolverEigMode_t jobz,
                                   int econ, int64_t m, int64_t n, cudaDataType dataTypeA, void* A, int64_t lda,
                                   cudaDataType dataTypeS, void* S, cudaDataType dataTypeU, void* U, int64_t ldu,
                                   cudaDataType dataTypeV, void* V, int64_t ldv, cudaDataType computeType,
                                   void* bufferOnDevice, size_t workspaceInBytesOnDevice, void* bufferOnHost,
                                   size_t workspaceInBytesOnHost, int* d_info, double* h_err_sigma);
cusolverStatus_t cusolverDnXtrtri_bufferSize(cusolverDnHandle_t handle, cublasFillMode_t uplo, cublasDiagType_t diag,
                                             int64_t n, cudaDataType dataTypeA, void* A, int64_t lda,
                                             size_t* workspaceInBytesOnDevice, size_t* workspaceInBytesOnHost);
cusolverStatus_t cusolverDnXtrtri(cusolverDnHandle_t handle, cublasFillMode_t uplo, cublasDiagType_t diag, int64_t n,
                                  cudaDataType dataTypeA, void* A, int64_t lda, void* bufferOnDevice,
                                  size_t workspaceInBytesOnDevice, void* bufferOnHost, size_t workspaceInBytesOnHost,
                                  int* devInfo);

WARPFIBER_C_END
