// SPDX-License-Identifier: Apache-2.0
// cuBLAS's functions of bands, packed triangles, updates of triangles, and systems in batches. C and C++.
#pragma once

#include <warpfiber/cuda/cublas/host_api.h>

// clang-format off
/// apply(function, type, type of alpha, whether it is hermitian)
#define WARPFIBER_CUBLAS_SYR(apply)                                                                                    \
  WARPFIBER_CUBLAS_BOTH(apply, Ssyr, float, float, false) WARPFIBER_CUBLAS_BOTH(apply, Dsyr, double, double, false) WARPFIBER_CUBLAS_BOTH(apply, Csyr, float2, float2, false)               \
  WARPFIBER_CUBLAS_BOTH(apply, Zsyr, double2, double2, false) WARPFIBER_CUBLAS_BOTH(apply, Cher, float2, float, true) WARPFIBER_CUBLAS_BOTH(apply, Zher, double2, double, true)
#define WARPFIBER_CUBLAS_SYR2(apply)                                                                                   \
  WARPFIBER_CUBLAS_BOTH(apply, Ssyr2, float, false) WARPFIBER_CUBLAS_BOTH(apply, Dsyr2, double, false) WARPFIBER_CUBLAS_BOTH(apply, Csyr2, float2, false) WARPFIBER_CUBLAS_BOTH(apply, Zsyr2, double2, false)      \
  WARPFIBER_CUBLAS_BOTH(apply, Cher2, float2, true) WARPFIBER_CUBLAS_BOTH(apply, Zher2, double2, true)

#define WARPFIBER_CUBLAS_BANDS(t, T, Int, wide)                                                                        \
  cublasStatus_t cublas##t##gbmv##wide(cublasHandle_t handle, cublasOperation_t trans, Int m, Int n, Int kl, Int ku,   \
                                 const T* alpha, const T* A, Int lda, const T* x, Int incx, const T* beta, T* y,       \
                                 Int incy);                                                                            \
  cublasStatus_t cublas##t##tbmv##wide(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans,          \
                                 cublasDiagType_t diag, Int n, Int k, const T* A, Int lda, T* x, Int incx);            \
  cublasStatus_t cublas##t##tbsv##wide(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans,          \
                                 cublasDiagType_t diag, Int n, Int k, const T* A, Int lda, T* x, Int incx);            \
  cublasStatus_t cublas##t##tpmv##wide(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans,          \
                                 cublasDiagType_t diag, Int n, const T* AP, T* x, Int incx);                           \
  cublasStatus_t cublas##t##tpsv##wide(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans,          \
                                 cublasDiagType_t diag, Int n, const T* AP, T* x, Int incx);

#define WARPFIBER_CUBLAS_TRIANGLE_COPIES(t, T)                                                                      \
  cublasStatus_t cublas##t##tpttr(cublasHandle_t handle, cublasFillMode_t uplo, int n, const T* AP, T* A, int lda); \
  cublasStatus_t cublas##t##trttp(cublasHandle_t handle, cublasFillMode_t uplo, int n, const T* A, int lda, T* AP);

#define WARPFIBER_CUBLAS_MIRRORED(t, s, T, R, Int, wide)                                                               \
  cublasStatus_t cublas##t##s##bmv##wide(cublasHandle_t handle, cublasFillMode_t uplo, Int n, Int k, const T* alpha,   \
                                   const T* A, Int lda, const T* x, Int incx, const T* beta, T* y, Int incy);          \
  cublasStatus_t cublas##t##s##pmv##wide(cublasHandle_t handle, cublasFillMode_t uplo, Int n, const T* alpha, const T* AP, \
                                   const T* x, Int incx, const T* beta, T* y, Int incy);                               \
  cublasStatus_t cublas##t##s##pr##wide(cublasHandle_t handle, cublasFillMode_t uplo, Int n, const R* alpha, const T* x, \
                                  Int incx, T* AP);                                                                    \
  cublasStatus_t cublas##t##s##pr2##wide(cublasHandle_t handle, cublasFillMode_t uplo, Int n, const T* alpha, const T* x, \
                                   Int incx, const T* y, Int incy, T* AP);

/// apply(function, type, type of beta, whether it has both products, whether it is hermitian)
#define WARPFIBER_CUBLAS_UPDATES(apply)                                                                                \
  WARPFIBER_CUBLAS_BOTH(apply, Ssyr2k, float, float, true, false) WARPFIBER_CUBLAS_BOTH(apply, Dsyr2k, double, double, true, false)                                  \
  WARPFIBER_CUBLAS_BOTH(apply, Csyr2k, float2, float2, true, false) WARPFIBER_CUBLAS_BOTH(apply, Zsyr2k, double2, double2, true, false)                              \
  WARPFIBER_CUBLAS_BOTH(apply, Cher2k, float2, float, true, true) WARPFIBER_CUBLAS_BOTH(apply, Zher2k, double2, double, true, true)                                  \
  WARPFIBER_CUBLAS_BOTH(apply, Ssyrkx, float, float, false, false) WARPFIBER_CUBLAS_BOTH(apply, Dsyrkx, double, double, false, false)                                \
  WARPFIBER_CUBLAS_BOTH(apply, Csyrkx, float2, float2, false, false) WARPFIBER_CUBLAS_BOTH(apply, Zsyrkx, double2, double2, false, false)                            \
  WARPFIBER_CUBLAS_BOTH(apply, Cherkx, float2, float, false, true) WARPFIBER_CUBLAS_BOTH(apply, Zherkx, double2, double, false, true)

#define WARPFIBER_CUBLAS_DECLARE_UPDATE(function, T, R, two, hermitian, Int, wide)                                     \
  cublasStatus_t cublas##function##wide(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, Int n, Int k, \
                                  const T* alpha, const T* A, Int lda, const T* B, Int ldb, const R* beta, T* C,       \
                                  Int ldc);

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

#define WARPFIBER_CUBLAS_DECLARE_SYR(function, T, R, hermitian, Int, wide)                                             \
  cublasStatus_t cublas##function##wide(cublasHandle_t handle, cublasFillMode_t uplo, Int n, const R* alpha, const T* x, \
                                  Int incx, T* A, Int lda);
#define WARPFIBER_CUBLAS_DECLARE_SYR2(function, T, hermitian, Int, wide)                                               \
  cublasStatus_t cublas##function##wide(cublasHandle_t handle, cublasFillMode_t uplo, Int n, const T* alpha, const T* x, \
                                  Int incx, const T* y, Int incy, T* A, Int lda);
// clang-format on

WARPFIBER_C_BEGIN

WARPFIBER_CUBLAS_ALL_BOTH(WARPFIBER_CUBLAS_BANDS)
WARPFIBER_CUBLAS_ALL_TYPES(WARPFIBER_CUBLAS_TRIANGLE_COPIES)
WARPFIBER_CUBLAS_BOTH(WARPFIBER_CUBLAS_MIRRORED, S, s, float, float)
WARPFIBER_CUBLAS_BOTH(WARPFIBER_CUBLAS_MIRRORED, D, s, double, double)
WARPFIBER_CUBLAS_BOTH(WARPFIBER_CUBLAS_MIRRORED, C, h, float2, float)
WARPFIBER_CUBLAS_BOTH(WARPFIBER_CUBLAS_MIRRORED, Z, h, double2, double)
WARPFIBER_CUBLAS_SYR(WARPFIBER_CUBLAS_DECLARE_SYR)
WARPFIBER_CUBLAS_SYR2(WARPFIBER_CUBLAS_DECLARE_SYR2)
WARPFIBER_CUBLAS_UPDATES(WARPFIBER_CUBLAS_DECLARE_UPDATE)
WARPFIBER_CUBLAS_ALL_TYPES(WARPFIBER_CUBLAS_SYSTEMS)

WARPFIBER_C_END
