// SPDX-License-Identifier: Apache-2.0
// The functions of cuSOLVER for sparse matrices that are modelled. C and C++.
#pragma once

#include <warpfiber/cuda/api/handles.h>
#include <warpfiber/cuda/api/linkage.h>
#include <warpfiber/cuda/api/vector_types.h>
#include <warpfiber/cuda/cusolver/types.h>
#include <warpfiber/cuda/cusparse/host_api.h>

typedef struct cusolverSpContext* cusolverSpHandle_t;
typedef struct csrqrInfo* csrqrInfo_t;

#define WARPFIBER_CUSOLVER_SPARSE_SOLVE(function, T, R)                                                             \
  cusolverStatus_t cusolverSp##function(cusolverSpHandle_t handle, int m, int nnz, const cusparseMatDescr_t descrA, \
                                        const T* csrVal, const int* csrRowPtr, const int* csrColInd, const T* b,    \
                                        R tol, int reorder, T* x, int* singularity);
#define WARPFIBER_CUSOLVER_SPARSE_EIGENVALUE(function, T, R)                                                        \
  cusolverStatus_t cusolverSp##function(cusolverSpHandle_t handle, int m, int nnz, const cusparseMatDescr_t descrA, \
                                        const T* csrVal, const int* csrRowPtr, const int* csrColInd, T mu0,         \
                                        const T* x0, int maxite, R tol, T* mu, T* x);
#define WARPFIBER_CUSOLVER_SPARSE_BATCH(t, T)                                                                   \
  cusolverStatus_t cusolverSp##t##csrqrBufferInfoBatched(                                                       \
      cusolverSpHandle_t handle, int m, int n, int nnz, const cusparseMatDescr_t descrA, const T* csrVal,       \
      const int* csrRowPtr, const int* csrColInd, int batchSize, csrqrInfo_t info, size_t* internalDataInBytes, \
      size_t* workspaceInBytes);                                                                                \
  cusolverStatus_t cusolverSp##t##csrqrsvBatched(                                                               \
      cusolverSpHandle_t handle, int m, int n, int nnz, const cusparseMatDescr_t descrA, const T* csrVal,       \
      const int* csrRowPtr, const int* csrColInd, const T* b, T* x, int batchSize, csrqrInfo_t info, void* pBuffer);
#define WARPFIBER_CUSOLVER_SPARSE(t, T, R)                     \
  WARPFIBER_CUSOLVER_SPARSE_SOLVE(t##csrlsvqr, T, R)           \
  WARPFIBER_CUSOLVER_SPARSE_SOLVE(t##csrlsvchol, T, R)         \
  WARPFIBER_CUSOLVER_SPARSE_SOLVE(t##csrlsvqrHost, T, R)       \
  WARPFIBER_CUSOLVER_SPARSE_SOLVE(t##csrlsvcholHost, T, R)     \
  WARPFIBER_CUSOLVER_SPARSE_SOLVE(t##csrlsvluHost, T, R)       \
  WARPFIBER_CUSOLVER_SPARSE_EIGENVALUE(t##csreigvsi, T, R)     \
  WARPFIBER_CUSOLVER_SPARSE_EIGENVALUE(t##csreigvsiHost, T, R) \
  WARPFIBER_CUSOLVER_SPARSE_BATCH(t, T)

WARPFIBER_C_BEGIN

cusolverStatus_t cusolverSpCreate(cusolverSpHandle_t* handle);
cusolverStatus_t cusolverSpDestroy(cusolverSpHandle_t handle);
cusolverStatus_t cusolverSpSetStream(cusolverSpHandle_t handle, cudaStream_t streamId);
cusolverStatus_t cusolverSpGetStream(cusolverSpHandle_t handle, cudaStream_t* streamId);

WARPFIBER_CUSOLVER_SPARSE(S, float, float)
WARPFIBER_CUSOLVER_SPARSE(D, double, double)
WARPFIBER_CUSOLVER_SPARSE(C, float2, float)
WARPFIBER_CUSOLVER_SPARSE(Z, double2, double)

cusolverStatus_t cusolverSpCreateCsrqrInfo(csrqrInfo_t* info);
cusolverStatus_t cusolverSpDestroyCsrqrInfo(csrqrInfo_t info);
cusolverStatus_t cusolverSpXcsrqrAnalysisBatched(cusolverSpHandle_t handle, int m, int n, int nnzA,
                                                 const cusparseMatDescr_t descrA, const int* csrRowPtrA,
                                                 const int* csrColIndA, csrqrInfo_t info);

cusolverStatus_t cusolverSpXcsrissymHost(cusolverSpHandle_t handle, int m, int nnzA, const cusparseMatDescr_t descrA,
                                         const int* csrRowPtrA, const int* csrEndPtrA, const int* csrColIndA,
                                         int* issym);
cusolverStatus_t cusolverSpXcsrsymrcmHost(cusolverSpHandle_t handle, int n, int nnzA, const cusparseMatDescr_t descrA,
                                          const int* csrRowPtrA, const int* csrColIndA, int* p);
cusolverStatus_t cusolverSpXcsrsymmdqHost(cusolverSpHandle_t handle, int n, int nnzA, const cusparseMatDescr_t descrA,
                                          const int* csrRowPtrA, const int* csrColIndA, int* p);
cusolverStatus_t cusolverSpXcsrsymamdHost(cusolverSpHandle_t handle, int n, int nnzA, const cusparseMatDescr_t descrA,
                                          const int* csrRowPtrA, const int* csrColIndA, int* p);
cusolverStatus_t cusolverSpXcsrmetisndHost(cusolverSpHandle_t handle, int n, int nnzA, const cusparseMatDescr_t descrA,
                                           const int* csrRowPtrA, const int* csrColIndA, const int64_t* options,
                                           int* p);
cusolverStatus_t cusolverSpXcsrperm_bufferSizeHost(cusolverSpHandle_t handle, int m, int n, int nnzA,
                                                   const cusparseMatDescr_t descrA, const int* csrRowPtrA,
                                                   const int* csrColIndA, const int* p, const int* q,
                                                   size_t* bufferSizeInBytes);
cusolverStatus_t cusolverSpXcsrpermHost(cusolverSpHandle_t handle, int m, int n, int nnzA,
                                        const cusparseMatDescr_t descrA, int* csrRowPtrA, int* csrColIndA, const int* p,
                                        const int* q, int* map, void* pBuffer);

WARPFIBER_C_END
