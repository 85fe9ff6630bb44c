// SPDX-License-Identifier: Apache-2.0
// The functions of cuSOLVER for dense matrices that are modelled, of one type each. Matrices are stored by columns.
// Every function returns a cusolverStatus_t. Any host thread may call; no kernel may. C and C++.
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <warpfiber/cuda/api/handles.h>
#include <warpfiber/cuda/api/library_types.h>
#include <warpfiber/cuda/api/linkage.h>
#include <warpfiber/cuda/api/vector_types.h>
#include <warpfiber/cuda/cublas/types.h>
#include <warpfiber/cuda/cusolver/types.h>

// clang-format off
#define WARPFIBER_CUSOLVER_FACTORS(t, T)                                                                               \
  cusolverStatus_t cusolverDn##t##potrf_bufferSize(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, T* A,      \
                                                   int lda, int* Lwork);                                               \
  cusolverStatus_t cusolverDn##t##potrf(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, T* A, int lda,        \
                                        T* Workspace, int Lwork, int* devInfo);                                        \
  cusolverStatus_t cusolverDn##t##potrs(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, int nrhs, const T* A, \
                                        int lda, T* B, int ldb, int* devInfo);                                         \
  cusolverStatus_t cusolverDn##t##potrfBatched(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, T* Aarray[],   \
                                               int lda, int* infoArray, int batchSize);                                \
  cusolverStatus_t cusolverDn##t##potrsBatched(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, int nrhs,      \
                                               T* A[], int lda, T* B[], int ldb, int* d_info, int batchSize);          \
  cusolverStatus_t cusolverDn##t##potri_bufferSize(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, T* A,      \
                                                   int lda, int* lwork);                                               \
  cusolverStatus_t cusolverDn##t##potri(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, T* A, int lda,        \
                                        T* work, int lwork, int* devInfo);                                             \
  cusolverStatus_t cusolverDn##t##getrf_bufferSize(cusolverDnHandle_t handle, int m, int n, T* A, int lda,             \
                                                   int* Lwork);                                                        \
  cusolverStatus_t cusolverDn##t##getrf(cusolverDnHandle_t handle, int m, int n, T* A, int lda, T* Workspace,          \
                                        int* devIpiv, int* devInfo);                                                   \
  cusolverStatus_t cusolverDn##t##getrs(cusolverDnHandle_t handle, cublasOperation_t trans, int n, int nrhs,           \
                                        const T* A, int lda, const int* devIpiv, T* B, int ldb, int* devInfo);         \
  cusolverStatus_t cusolverDn##t##geqrf_bufferSize(cusolverDnHandle_t handle, int m, int n, T* A, int lda,             \
                                                   int* lwork);                                                        \
  cusolverStatus_t cusolverDn##t##geqrf(cusolverDnHandle_t handle, int m, int n, T* A, int lda, T* TAU, T* Workspace,  \
                                        int Lwork, int* devInfo);

#define WARPFIBER_CUSOLVER_Q(t, T, gqr, mqr)                                                                           \
  cusolverStatus_t cusolverDn##t##gqr##_bufferSize(cusolverDnHandle_t handle, int m, int n, int k, const T* A,         \
                                                   int lda, const T* tau, int* lwork);                                 \
  cusolverStatus_t cusolverDn##t##gqr(cusolverDnHandle_t handle, int m, int n, int k, T* A, int lda, const T* tau,     \
                                      T* work, int lwork, int* devInfo);                                               \
  cusolverStatus_t cusolverDn##t##mqr##_bufferSize(cusolverDnHandle_t handle, cublasSideMode_t side,                   \
                                                   cublasOperation_t trans, int m, int n, int k, const T* A, int lda,  \
                                                   const T* tau, const T* C, int ldc, int* lwork);                     \
  cusolverStatus_t cusolverDn##t##mqr(cusolverDnHandle_t handle, cublasSideMode_t side, cublasOperation_t trans,       \
                                      int m, int n, int k, const T* A, int lda, const T* tau, T* C, int ldc, T* work,  \
                                      int lwork, int* devInfo);

#define WARPFIBER_CUSOLVER_SPECTRA(t, T, R, s)                                                                         \
  cusolverStatus_t cusolverDn##t##s##evd_bufferSize(cusolverDnHandle_t handle, cusolverEigMode_t jobz,                 \
                                                    cublasFillMode_t uplo, int n, const T* A, int lda, const R* W,     \
                                                    int* lwork);                                                       \
  cusolverStatus_t cusolverDn##t##s##evd(cusolverDnHandle_t handle, cusolverEigMode_t jobz, cublasFillMode_t uplo,     \
                                         int n, T* A, int lda, R* W, T* work, int lwork, int* devInfo);                \
  cusolverStatus_t cusolverDn##t##s##evdx_bufferSize(cusolverDnHandle_t handle, cusolverEigMode_t jobz,                \
                                                     cusolverEigRange_t range, cublasFillMode_t uplo, int n,           \
                                                     const T* A, int lda, R vl, R vu, int il, int iu, int* meig,       \
                                                     const R* W, int* lwork);                                          \
  cusolverStatus_t cusolverDn##t##s##evdx(cusolverDnHandle_t handle, cusolverEigMode_t jobz,                           \
                                          cusolverEigRange_t range, cublasFillMode_t uplo, int n, T* A, int lda, R vl, \
                                          R vu, int il, int iu, int* meig, R* W, T* work, int lwork, int* devInfo);    \
  cusolverStatus_t cusolverDn##t##s##evj_bufferSize(cusolverDnHandle_t handle, cusolverEigMode_t jobz,                 \
                                                    cublasFillMode_t uplo, int n, const T* A, int lda, const R* W,     \
                                                    int* lwork, syevjInfo_t params);                                   \
  cusolverStatus_t cusolverDn##t##s##evj(cusolverDnHandle_t handle, cusolverEigMode_t jobz, cublasFillMode_t uplo,     \
                                         int n, T* A, int lda, R* W, T* work, int lwork, int* devInfo,                 \
                                         syevjInfo_t params);                                                          \
  cusolverStatus_t cusolverDn##t##s##evjBatched_bufferSize(cusolverDnHandle_t handle, cusolverEigMode_t jobz,          \
                                                           cublasFillMode_t uplo, int n, const T* A, int lda,          \
                                                           const R* W, int* lwork, syevjInfo_t params,                 \
                                                           int batchSize);                                             \
  cusolverStatus_t cusolverDn##t##s##evjBatched(cusolverDnHandle_t handle, cusolverEigMode_t jobz,                     \
                                                cublasFillMode_t uplo, int n, T* A, int lda, R* W, T* work, int lwork, \
                                                int* devInfo, syevjInfo_t params, int batchSize);                      \
  cusolverStatus_t cusolverDn##t##s##gvd_bufferSize(cusolverDnHandle_t handle, cusolverEigType_t itype,                \
                                                    cusolverEigMode_t jobz, cublasFillMode_t uplo, int n, const T* A,  \
                                                    int lda, const T* B, int ldb, const R* W, int* lwork);             \
  cusolverStatus_t cusolverDn##t##s##gvd(cusolverDnHandle_t handle, cusolverEigType_t itype, cusolverEigMode_t jobz,   \
                                         cublasFillMode_t uplo, int n, T* A, int lda, T* B, int ldb, R* W, T* work,    \
                                         int lwork, int* devInfo);                                                     \
  cusolverStatus_t cusolverDn##t##s##gvdx_bufferSize(cusolverDnHandle_t handle, cusolverEigType_t itype,               \
                                                     cusolverEigMode_t jobz, cusolverEigRange_t range,                 \
                                                     cublasFillMode_t uplo, int n, const T* A, int lda, const T* B,    \
                                                     int ldb, R vl, R vu, int il, int iu, int* meig, const R* W,       \
                                                     int* lwork);                                                      \
  cusolverStatus_t cusolverDn##t##s##gvdx(cusolverDnHandle_t handle, cusolverEigType_t itype, cusolverEigMode_t jobz,  \
                                          cusolverEigRange_t range, cublasFillMode_t uplo, int n, T* A, int lda, T* B, \
                                          int ldb, R vl, R vu, int il, int iu, int* meig, R* W, T* work, int lwork,    \
                                          int* devInfo);                                                               \
  cusolverStatus_t cusolverDn##t##s##gvj_bufferSize(cusolverDnHandle_t handle, cusolverEigType_t itype,                \
                                                    cusolverEigMode_t jobz, cublasFillMode_t uplo, int n, const T* A,  \
                                                    int lda, const T* B, int ldb, const R* W, int* lwork,              \
                                                    syevjInfo_t params);                                               \
  cusolverStatus_t cusolverDn##t##s##gvj(cusolverDnHandle_t handle, cusolverEigType_t itype, cusolverEigMode_t jobz,   \
                                         cublasFillMode_t uplo, int n, T* A, int lda, T* B, int ldb, R* W, T* work,    \
                                         int lwork, int* devInfo, syevjInfo_t params);

#define WARPFIBER_CUSOLVER_SINGULAR_VALUES(t, T, R)                                                                    \
  cusolverStatus_t cusolverDn##t##gesvd_bufferSize(cusolverDnHandle_t handle, int m, int n, int* lwork);               \
  cusolverStatus_t cusolverDn##t##gesvd(cusolverDnHandle_t handle, signed char jobu, signed char jobvt, int m, int n,  \
                                        T* A, int lda, R* S, T* U, int ldu, T* VT, int ldvt, T* work, int lwork,       \
                                        R* rwork, int* devInfo);                                                       \
  cusolverStatus_t cusolverDn##t##gesvdj_bufferSize(cusolverDnHandle_t handle, cusolverEigMode_t jobz, int econ,       \
                                                    int m, int n, const T* A, int lda, const R* S, const T* U,         \
                                                    int ldu, const T* V, int ldv, int* lwork, gesvdjInfo_t params);    \
  cusolverStatus_t cusolverDn##t##gesvdj(cusolverDnHandle_t handle, cusolverEigMode_t jobz, int econ, int m, int n,    \
                                         T* A, int lda, R* S, T* U, int ldu, T* V, int ldv, T* work, int lwork,        \
                                         int* devInfo, gesvdjInfo_t params);                                           \
  cusolverStatus_t cusolverDn##t##gesvdjBatched_bufferSize(cusolverDnHandle_t handle, cusolverEigMode_t jobz, int m,   \
                                                           int n, const T* A, int lda, const R* S, const T* U,         \
                                                           int ldu, const T* V, int ldv, int* lwork,                   \
                                                           gesvdjInfo_t params, int batchSize);                        \
  cusolverStatus_t cusolverDn##t##gesvdjBatched(cusolverDnHandle_t handle, cusolverEigMode_t jobz, int m, int n, T* A, \
                                                int lda, R* S, T* U, int ldu, T* V, int ldv, T* work, int lwork,       \
                                                int* devInfo, gesvdjInfo_t params, int batchSize);

#define WARPFIBER_CUSOLVER_RANKED(t, T, R)                                                                             \
  cusolverStatus_t cusolverDn##t##gesvdaStridedBatched_bufferSize(                                                     \
      cusolverDnHandle_t handle, cusolverEigMode_t jobz, int rank, int m, int n, const T* A, int lda,                  \
      long long int strideA, const R* S, long long int strideS, const T* U, int ldu, long long int strideU,            \
      const T* V, int ldv, long long int strideV, int* lwork, int batchSize);                                          \
  cusolverStatus_t cusolverDn##t##gesvdaStridedBatched(                                                                \
      cusolverDnHandle_t handle, cusolverEigMode_t jobz, int rank, int m, int n, const T* A, int lda,                  \
      long long int strideA, R* S, long long int strideS, T* U, int ldu, long long int strideU, T* V, int ldv,         \
      long long int strideV, T* work, int lwork, int* d_info, double* h_R_nrmF, int batchSize);
// clang-format on

WARPFIBER_C_BEGIN

cusolverStatus_t cusolverGetProperty(libraryPropertyType type, int* value);
cusolverStatus_t cusolverGetVersion(int* version);
cusolverStatus_t cusolverDnCreate(cusolverDnHandle_t* handle);
cusolverStatus_t cusolverDnDestroy(cusolverDnHandle_t handle);
cusolverStatus_t cusolverDnSetStream(cusolverDnHandle_t handle, cudaStream_t streamId);
cusolverStatus_t cusolverDnGetStream(cusolverDnHandle_t handle, cudaStream_t* streamId);
cusolverStatus_t cusolverDnSetDeterministicMode(cusolverDnHandle_t handle, cusolverDeterministicMode_t mode);
cusolverStatus_t cusolverDnGetDeterministicMode(cusolverDnHandle_t handle, cusolverDeterministicMode_t* mode);

cusolverStatus_t cusolverDnCreateSyevjInfo(syevjInfo_t* info);
cusolverStatus_t cusolverDnDestroySyevjInfo(syevjInfo_t info);
cusolverStatus_t cusolverDnXsyevjSetTolerance(syevjInfo_t info, double tolerance);
cusolverStatus_t cusolverDnXsyevjSetMaxSweeps(syevjInfo_t info, int max_sweeps);
cusolverStatus_t cusolverDnXsyevjSetSortEig(syevjInfo_t info, int sort_eig);
cusolverStatus_t cusolverDnXsyevjGetResidual(cusolverDnHandle_t handle, syevjInfo_t info, double* residual);
cusolverStatus_t cusolverDnXsyevjGetSweeps(cusolverDnHandle_t handle, syevjInfo_t info, int* executed_sweeps);
cusolverStatus_t cusolverDnCreateGesvdjInfo(gesvdjInfo_t* info);
cusolverStatus_t cusolverDnDestroyGesvdjInfo(gesvdjInfo_t info);
cusolverStatus_t cusolverDnXgesvdjSetTolerance(gesvdjInfo_t info, double tolerance);
cusolverStatus_t cusolverDnXgesvdjSetMaxSweeps(gesvdjInfo_t info, int max_sweeps);
cusolverStatus_t cusolverDnXgesvdjSetSortEig(gesvdjInfo_t info, int sort_svd);
cusolverStatus_t cusolverDnXgesvdjGetResidual(cusolverDnHandle_t handle, gesvdjInfo_t info, double* residual);
cusolverStatus_t cusolverDnXgesvdjGetSweeps(cusolverDnHandle_t handle, gesvdjInfo_t info, int* executed_sweeps);

WARPFIBER_CUSOLVER_FACTORS(S, float)
WARPFIBER_CUSOLVER_FACTORS(D, double)
WARPFIBER_CUSOLVER_FACTORS(C, float2)
WARPFIBER_CUSOLVER_FACTORS(Z, double2)
WARPFIBER_CUSOLVER_Q(S, float, orgqr, ormqr)
WARPFIBER_CUSOLVER_Q(D, double, orgqr, ormqr)
WARPFIBER_CUSOLVER_Q(C, float2, ungqr, unmqr)
WARPFIBER_CUSOLVER_Q(Z, double2, ungqr, unmqr)
WARPFIBER_CUSOLVER_SPECTRA(S, float, float, sy)
WARPFIBER_CUSOLVER_SPECTRA(D, double, double, sy)
WARPFIBER_CUSOLVER_SPECTRA(C, float2, float, he)
WARPFIBER_CUSOLVER_SPECTRA(Z, double2, double, he)
WARPFIBER_CUSOLVER_SINGULAR_VALUES(S, float, float)
WARPFIBER_CUSOLVER_SINGULAR_VALUES(D, double, double)
WARPFIBER_CUSOLVER_SINGULAR_VALUES(C, float2, float)
WARPFIBER_CUSOLVER_SINGULAR_VALUES(Z, double2, double)
WARPFIBER_CUSOLVER_RANKED(S, float, float)
WARPFIBER_CUSOLVER_RANKED(D, double, double)
WARPFIBER_CUSOLVER_RANKED(C, float2, float)
WARPFIBER_CUSOLVER_RANKED(Z, double2, double)

WARPFIBER_C_END
