// SPDX-License-Identifier: Apache-2.0
// cuBLAS's functions of bands, packed triangles, updates of triangles, and systems in batches. C and C++.
#pragma once

#include <warpfiber/cuda/cublas/host_api.h>

// clang-format off
/// apply(function, type, type of alpha, whether it is hermitian)
#define WARPFIBER_CUBLAS_SYR(apply)                                                                                    \
  apply(Ssyr, float, float, false) apply(Dsyr, double, double, false) apply(Csyr, float2, float2, false)               \
  apply(Zsyr, double2, double2, false) apply(Cher, float2, float, true) apply(Zher, double2, double, true)
#define WARPFIBER_CUBLAS_SYR2(apply)                                                                                   \
  apply(Ssyr2, float, false) apply(Dsyr2, double, false) apply(Csyr2, float2, false) apply(Zsyr2, double2, false)      \
  apply(Cher2, float2, true) apply(Zher2, double2, true)

#define WARPFIBER_CUBLAS_BANDS(t, T)                                                                                   \
  cublasStatus_t cublas##t##gbmv(cublasHandle_t handle, cublasOperation_t trans, int m, int n, int kl, int ku,         \
                                 const T* alpha, const T* A, int lda, const T* x, int incx, const T* beta, T* y,       \
                                 int incy);                                                                            \
  cublasStatus_t cublas##t##tbmv(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans,                \
                                 cublasDiagType_t diag, int n, int k, const T* A, int lda, T* x, int incx);            \
  cublasStatus_t cublas##t##tbsv(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans,                \
                                 cublasDiagType_t diag, int n, int k, const T* A, int lda, T* x, int incx);            \
  cublasStatus_t cublas##t##tpmv(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans,                \
                                 cublasDiagType_t diag, int n, const T* AP, T* x, int incx);                           \
  cublasStatus_t cublas##t##tpsv(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans,                \
                                 cublasDiagType_t diag, int n, const T* AP, T* x, int incx);                           \
  cublasStatus_t cublas##t##tpttr(cublasHandle_t handle, cublasFillMode_t uplo, int n, const T* AP, T* A, int lda);    \
  cublasStatus_t cublas##t##trttp(cublasHandle_t handle, cublasFillMode_t uplo, int n, const T* A, int lda, T* AP);

#define WARPFIBER_CUBLAS_MIRRORED(t, s, T, R)                                                                          \
  cublasStatus_t cublas##t##s##bmv(cublasHandle_t handle, cublasFillMode_t uplo, int n, int k, const T* alpha,         \
                                   const T* A, int lda, const T* x, int incx, const T* beta, T* y, int incy);          \
  cublasStatus_t cublas##t##s##pmv(cublasHandle_t handle, cublasFillMode_t uplo, int n, const T* alpha, const T* AP,   \
                                   const T* x, int incx, const T* beta, T* y, int incy);                               \
  cublasStatus_t cublas##t##s##pr(cublasHandle_t handle, cublasFillMode_t uplo, int n, const R* alpha, const T* x,     \
                                  int incx, T* AP);                                                                    \
  cublasStatus_t cublas##t##s##pr2(cublasHandle_t handle, cublasFillMode_t uplo, int n, const T* alpha, const T* x,    \
                                   int incx, const T* y, int incy, T* AP);

/// apply(function, type, type of beta, whether it has both products, whether it is hermitian)
#define WARPFIBER_CUBLAS_UPDATES(apply)                                                                                \
  apply(Ssyr2k, float, float, true, false) apply(Dsyr2k, double, double, true, false)                                  \
  apply(Csyr2k, float2, float2, true, false) apply(Zsyr2k, double2, double2, true, false)                              \
  apply(Cher2k, float2, float, true, true) apply(Zher2k, double2, double, true, true)                                  \
  apply(Ssyrkx, float, float, false, false) apply(Dsyrkx, double, double, false, false)                                \
  apply(Csyrkx, float2, float2, false, false) apply(Zsyrkx, double2, double2, false, false)                            \
  apply(Cherkx, float2, float, false, true) apply(Zherkx, double2, double, false, true)

#define WARPFIBER_CUBLAS_DECLARE_UPDATE(function, T, R, two, hermitian)                                                \
  cublasStatus_t cublas##function(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, int n, int k, \
                                  const T* alpha, const T* A, int lda, const T* B, int ldb, const R* beta, T* C,       \
                                  int ldc);

#define WARPFIBER_CUBLAS_SYSTEMS(t, T)                                                                                 \
  cublasStatus_t cublas##t##getrfBatched(cublasHandle_t handle, int n, T* const A[], int lda, int* P, int* info,       \
                                         int batchSize);                                                               \
  cublasStatus_t cublas##t##getrsBatched(cublasHandle_t handle, cublasOperation_t trans, int n, int nrhs,              \
                                         const T* const Aarray[], int lda, const int* devIpiv, T* const Barray[],      \
                                         int ldb, int* info, int batchSize);                                           \
  cublasStatus_t cublas##t##getriBatched(cublasHandle_t handle, int n, const T* const A[], int lda, const int* P,      \
                                         T* const C[], int ldc, int* info, int batchSize);                             \
  cublasStatus_t cublas##t##matinvBatched(cublasHandle_t handle, int n, const T* const A[], int lda, T* const Ainv[],  \
                                          int lda_inv, int* info, int batchSize);                                      \
  cublasStatus_t cublas##t##trsmBatched(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo,           \
                                        cublasOperation_t trans, cublasDiagType_t diag, int m, int n, const T* alpha,  \
                                        const T* const A[], int lda, T* const B[], int ldb, int batchCount);

#define WARPFIBER_CUBLAS_DECLARE_SYR(function, T, R, hermitian)                                                        \
  cublasStatus_t cublas##function(cublasHandle_t handle, cublasFillMode_t uplo, int n, const R* alpha, const T* x,     \
                                  int incx, T* A, int lda);
#define WARPFIBER_CUBLAS_DECLARE_SYR2(function, T, hermitian)                                                          \
  cublasStatus_t cublas##function(cublasHandle_t handle, cublasFillMode_t uplo, int n, const T* alpha, const T* x,     \
                                  int incx, const T* y, int incy, T* A, int lda);
// clang-format on

WARPFIBER_C_BEGIN

WARPFIBER_CUBLAS_ALL_TYPES(WARPFIBER_CUBLAS_BANDS)
WARPFIBER_CUBLAS_MIRRORED(S, s, float, float)
WARPFIBER_CUBLAS_MIRRORED(D, s, double, double)
WARPFIBER_CUBLAS_MIRRORED(C, h, float2, float)
WARPFIBER_CUBLAS_MIRRORED(Z, h, double2, double)
WARPFIBER_CUBLAS_SYR(WARPFIBER_CUBLAS_DECLARE_SYR)
WARPFIBER_CUBLAS_SYR2(WARPFIBER_CUBLAS_DECLARE_SYR2)
WARPFIBER_CUBLAS_UPDATES(WARPFIBER_CUBLAS_DECLARE_UPDATE)
WARPFIBER_CUBLAS_ALL_TYPES(WARPFIBER_CUBLAS_SYSTEMS)

WARPFIBER_C_END
