// SPDX-License-Identifier: Apache-2.0
// cuSOLVER's factors of sparse matrices, which are kept and solve several systems. Functions with Host have arrays of
// the host, the others those of a device. C and C++.
#pragma once

#include <warpfiber/cuda/cusolver/sparse_api.h>

typedef struct csrluInfoHost* csrluInfoHost_t;
typedef struct csrqrInfoHost* csrqrInfoHost_t;
typedef struct csrcholInfoHost* csrcholInfoHost_t;
typedef struct csrcholInfo* csrcholInfo_t;

#define WARPFIBER_CUSOLVER_KEPT_LU(t, T, R)                                                                    \
  cusolverStatus_t cusolverSp##t##csrluBufferInfoHost(                                                         \
      cusolverSpHandle_t handle, int n, int nnzA, const cusparseMatDescr_t descrA, const T* csrValA,           \
      const int* csrRowPtrA, const int* csrColIndA, csrluInfoHost_t info, size_t* internalDataInBytes,         \
      size_t* workspaceInBytes);                                                                               \
  cusolverStatus_t cusolverSp##t##csrluFactorHost(                                                             \
      cusolverSpHandle_t handle, int n, int nnzA, const cusparseMatDescr_t descrA, const T* csrValA,           \
      const int* csrRowPtrA, const int* csrColIndA, csrluInfoHost_t info, R pivot_threshold, void* pBuffer);   \
  cusolverStatus_t cusolverSp##t##csrluZeroPivotHost(cusolverSpHandle_t handle, csrluInfoHost_t info, R tol,   \
                                                     int* position);                                           \
  cusolverStatus_t cusolverSp##t##csrluSolveHost(cusolverSpHandle_t handle, int n, const T* b, T* x,           \
                                                 csrluInfoHost_t info, void* pBuffer);                         \
  cusolverStatus_t cusolverSp##t##csrluExtractHost(                                                            \
      cusolverSpHandle_t handle, int* P, int* Q, const cusparseMatDescr_t descrL, T* csrValL, int* csrRowPtrL, \
      int* csrColIndL, const cusparseMatDescr_t descrU, T* csrValU, int* csrRowPtrU, int* csrColIndU,          \
      csrluInfoHost_t info, void* pBuffer);
#define WARPFIBER_CUSOLVER_KEPT_QR(t, T, R, Host)                                                                  \
  cusolverStatus_t cusolverSp##t##csrqrBufferInfo##Host(                                                           \
      cusolverSpHandle_t handle, int m, int n, int nnzA, const cusparseMatDescr_t descrA, const T* csrValA,        \
      const int* csrRowPtrA, const int* csrColIndA, csrqrInfo##Host##_t info, size_t* internalDataInBytes,         \
      size_t* workspaceInBytes);                                                                                   \
  cusolverStatus_t cusolverSp##t##csrqrSetup##Host(                                                                \
      cusolverSpHandle_t handle, int m, int n, int nnzA, const cusparseMatDescr_t descrA, const T* csrValA,        \
      const int* csrRowPtrA, const int* csrColIndA, T mu, csrqrInfo##Host##_t info);                               \
  cusolverStatus_t cusolverSp##t##csrqrFactor##Host(cusolverSpHandle_t handle, int m, int n, int nnzA, T* b, T* x, \
                                                    csrqrInfo##Host##_t info, void* pBuffer);                      \
  cusolverStatus_t cusolverSp##t##csrqrZeroPivot##Host(cusolverSpHandle_t handle, csrqrInfo##Host##_t info, R tol, \
                                                       int* position);                                             \
  cusolverStatus_t cusolverSp##t##csrqrSolve##Host(cusolverSpHandle_t handle, int m, int n, T* b, T* x,            \
                                                   csrqrInfo##Host##_t info, void* pBuffer);
#define WARPFIBER_CUSOLVER_KEPT_CHOLESKY(t, T, R, Host)                                                                \
  cusolverStatus_t cusolverSp##t##csrcholBufferInfo##Host(                                                             \
      cusolverSpHandle_t handle, int n, int nnzA, const cusparseMatDescr_t descrA, const T* csrValA,                   \
      const int* csrRowPtrA, const int* csrColIndA, csrcholInfo##Host##_t info, size_t* internalDataInBytes,           \
      size_t* workspaceInBytes);                                                                                       \
  cusolverStatus_t cusolverSp##t##csrcholFactor##Host(                                                                 \
      cusolverSpHandle_t handle, int n, int nnzA, const cusparseMatDescr_t descrA, const T* csrValA,                   \
      const int* csrRowPtrA, const int* csrColIndA, csrcholInfo##Host##_t info, void* pBuffer);                        \
  cusolverStatus_t cusolverSp##t##csrcholZeroPivot##Host(cusolverSpHandle_t handle, csrcholInfo##Host##_t info, R tol, \
                                                         int* position);                                               \
  cusolverStatus_t cusolverSp##t##csrcholSolve##Host(cusolverSpHandle_t handle, int n, const T* b, T* x,               \
                                                     csrcholInfo##Host##_t info, void* pBuffer);
#define WARPFIBER_CUSOLVER_KEPT_FACTORS(t, T, R)  \
  WARPFIBER_CUSOLVER_KEPT_LU(t, T, R)             \
  WARPFIBER_CUSOLVER_KEPT_QR(t, T, R, Host)       \
  WARPFIBER_CUSOLVER_KEPT_QR(t, T, R, )           \
  WARPFIBER_CUSOLVER_KEPT_CHOLESKY(t, T, R, Host) \
  WARPFIBER_CUSOLVER_KEPT_CHOLESKY(t, T, R, )     \
  cusolverStatus_t cusolverSp##t##csrcholDiag(cusolverSpHandle_t handle, csrcholInfo_t info, R* diag);

WARPFIBER_C_BEGIN

cusolverStatus_t cusolverSpCreateCsrluInfoHost(csrluInfoHost_t* info);
cusolverStatus_t cusolverSpDestroyCsrluInfoHost(csrluInfoHost_t info);
cusolverStatus_t cusolverSpXcsrluAnalysisHost(cusolverSpHandle_t handle, int n, int nnzA,
                                              const cusparseMatDescr_t descrA, const int* csrRowPtrA,
                                              const int* csrColIndA, csrluInfoHost_t info);
cusolverStatus_t cusolverSpXcsrluNnzHost(cusolverSpHandle_t handle, int* nnzLRef, int* nnzURef, csrluInfoHost_t info);

cusolverStatus_t cusolverSpCreateCsrqrInfoHost(csrqrInfoHost_t* info);
cusolverStatus_t cusolverSpDestroyCsrqrInfoHost(csrqrInfoHost_t info);
cusolverStatus_t cusolverSpXcsrqrAnalysisHost(cusolverSpHandle_t handle, int m, int n, int nnzA,
                                              const cusparseMatDescr_t descrA, const int* csrRowPtrA,
                                              const int* csrColIndA, csrqrInfoHost_t info);
cusolverStatus_t cusolverSpXcsrqrAnalysis(cusolverSpHandle_t handle, int m, int n, int nnzA,
                                          const cusparseMatDescr_t descrA, const int* csrRowPtrA, const int* csrColIndA,
                                          csrqrInfo_t info);

cusolverStatus_t cusolverSpCreateCsrcholInfoHost(csrcholInfoHost_t* info);
cusolverStatus_t cusolverSpDestroyCsrcholInfoHost(csrcholInfoHost_t info);
cusolverStatus_t cusolverSpXcsrcholAnalysisHost(cusolverSpHandle_t handle, int n, int nnzA,
                                                const cusparseMatDescr_t descrA, const int* csrRowPtrA,
                                                const int* csrColIndA, csrcholInfoHost_t info);
cusolverStatus_t cusolverSpCreateCsrcholInfo(csrcholInfo_t* info);
cusolverStatus_t cusolverSpDestroyCsrcholInfo(csrcholInfo_t info);
cusolverStatus_t cusolverSpXcsrcholAnalysis(cusolverSpHandle_t handle, int n, int nnzA, const cusparseMatDescr_t descrA,
                                            const int* csrRowPtrA, const int* csrColIndA, csrcholInfo_t info);

WARPFIBER_CUSOLVER_KEPT_FACTORS(S, float, float)
WARPFIBER_CUSOLVER_KEPT_FACTORS(D, double, double)
WARPFIBER_CUSOLVER_KEPT_FACTORS(C, float2, float)
WARPFIBER_CUSOLVER_KEPT_FACTORS(Z, double2, double)

WARPFIBER_C_END
