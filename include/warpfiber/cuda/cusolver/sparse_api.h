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
#define WARPFIBER_CUSOLVER_SPARSE(t, T, R)                 \
  WARPFIBER_CUSOLVER_SPARSE_SOLVE(t##csrlsvqr, T, R)       \
  WARPFIBER_CUSOLVER_SPARSE_SOLVE(t##csrlsvchol, T, R)     \
  WARPFIBER_CUSOLVER_SPARSE_SOLVE(t##csrlsvqrHost, T, R)   \
  WARPFIBER_CUSOLVER_SPARSE_SOLVE(t##csrlsvcholHost, T, R) \
  WARPFIBER_CUSOLVER_SPARSE_SOLVE(t##csrlsvluHost, T, R)

WARPFIBER_C_BEGIN

cusolverStatus_t cusolverSpCreate(cusolverSpHandle_t* handle);
cusolverStatus_t cusolverSpDestroy(cusolverSpHandle_t handle);
cusolverStatus_t cusolverSpSetStream(cusolverSpHandle_t handle, cudaStream_t streamId);
cusolverStatus_t cusolverSpGetStream(cusolverSpHandle_t handle, cudaStream_t* streamId);

WARPFIBER_CUSOLVER_SPARSE(S, float, float)
WARPFIBER_CUSOLVER_SPARSE(D, double, double)
WARPFIBER_CUSOLVER_SPARSE(C, float2, float)
WARPFIBER_CUSOLVER_SPARSE(Z, double2, double)

WARPFIBER_C_END
