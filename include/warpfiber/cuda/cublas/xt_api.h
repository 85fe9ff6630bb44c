// SPDX-License-Identifier: Apache-2.0
// The functions of cuBLASXt that are modelled: products and systems of matrices in the host's or a device's memory. The
// call returns when C is computed. C and C++.
#pragma once

#include <stddef.h>
#include <warpfiber/cuda/cublas/host_api.h>

typedef struct cublasXtContext* cublasXtHandle_t;

typedef enum { CUBLASXT_PINNING_DISABLED = 0, CUBLASXT_PINNING_ENABLED = 1 } cublasXtPinnedMemMode_t;
typedef enum {
  CUBLASXT_FLOAT = 0,
  CUBLASXT_DOUBLE = 1,
  CUBLASXT_COMPLEX = 2,
  CUBLASXT_DOUBLECOMPLEX = 3,
} cublasXtOpType_t;
typedef enum {
  CUBLASXT_GEMM = 0,
  CUBLASXT_SYRK = 1,
  CUBLASXT_HERK = 2,
  CUBLASXT_SYMM = 3,
  CUBLASXT_HEMM = 4,
  CUBLASXT_TRSM = 5,
  CUBLASXT_SYR2K = 6,
  CUBLASXT_HER2K = 7,
  CUBLASXT_SPMM = 8,
  CUBLASXT_SYRKX = 9,
  CUBLASXT_HERKX = 10,
  CUBLASXT_TRMM = 11,
  CUBLASXT_ROUTINE_MAX = 12,
} cublasXtBlasOp_t;

// clang-format off
#define WARPFIBER_CUBLASXT_GEMM(t, T)                                                                                  \
  cublasStatus_t cublasXt##t##gemm(cublasXtHandle_t handle, cublasOperation_t transa, cublasOperation_t transb,        \
                                   size_t m, size_t n, size_t k, const T* alpha, const T* A, size_t lda, const T* B,   \
                                   size_t ldb, const T* beta, T* C, size_t ldc)
#define WARPFIBER_CUBLASXT_SYMM(name, T)                                                                               \
  cublasStatus_t cublasXt##name(cublasXtHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo, size_t m,       \
                                size_t n, const T* alpha, const T* A, size_t lda, const T* B, size_t ldb,              \
                                const T* beta, T* C, size_t ldc)
#define WARPFIBER_CUBLASXT_SYRK(name, T, R)                                                                            \
  cublasStatus_t cublasXt##name(cublasXtHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, size_t n,     \
                                size_t k, const R* alpha, const T* A, size_t lda, const R* beta, T* C, size_t ldc)
#define WARPFIBER_CUBLASXT_SYR2K(name, T, R)                                                                           \
  cublasStatus_t cublasXt##name(cublasXtHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, size_t n,     \
                                size_t k, const T* alpha, const T* A, size_t lda, const T* B, size_t ldb,              \
                                const R* beta, T* C, size_t ldc)
#define WARPFIBER_CUBLASXT_TRSM(t, T)                                                                                  \
  cublasStatus_t cublasXt##t##trsm(cublasXtHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo,              \
                                   cublasOperation_t trans, cublasDiagType_t diag, size_t m, size_t n, const T* alpha, \
                                   const T* A, size_t lda, T* B, size_t ldb)
#define WARPFIBER_CUBLASXT_TRMM(t, T)                                                                                  \
  cublasStatus_t cublasXt##t##trmm(cublasXtHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo,              \
                                   cublasOperation_t trans, cublasDiagType_t diag, size_t m, size_t n, const T* alpha, \
                                   const T* A, size_t lda, const T* B, size_t ldb, T* C, size_t ldc)
/// Each kind of function, for each type: gemm(t, T), symm(name, T), syrk(name, T, R), syr2k(name, T, R), trsm, trmm.
#define WARPFIBER_CUBLASXT_FUNCTIONS(gemm, symm, syrk, syr2k, trsm, trmm)                                              \
  gemm(S, float) gemm(D, double) gemm(C, float2) gemm(Z, double2)                                                      \
  symm(Ssymm, float) symm(Dsymm, double) symm(Csymm, float2) symm(Zsymm, double2)                                      \
  symm(Chemm, float2) symm(Zhemm, double2)                                                                             \
  syrk(Ssyrk, float, float) syrk(Dsyrk, double, double) syrk(Csyrk, float2, float2) syrk(Zsyrk, double2, double2)      \
  syrk(Cherk, float2, float) syrk(Zherk, double2, double)                                                              \
  syr2k(Ssyr2k, float, float) syr2k(Dsyr2k, double, double) syr2k(Csyr2k, float2, float2)                              \
  syr2k(Zsyr2k, double2, double2) syr2k(Cher2k, float2, float) syr2k(Zher2k, double2, double)                          \
  syr2k(Ssyrkx, float, float) syr2k(Dsyrkx, double, double) syr2k(Csyrkx, float2, float2)                              \
  syr2k(Zsyrkx, double2, double2) syr2k(Cherkx, float2, float) syr2k(Zherkx, double2, double)                          \
  trsm(S, float) trsm(D, double) trsm(C, float2) trsm(Z, double2)                                                      \
  trmm(S, float) trmm(D, double) trmm(C, float2) trmm(Z, double2)
#define WARPFIBER_CUBLASXT_GEMM_DECLARED(t, T) WARPFIBER_CUBLASXT_GEMM(t, T);
#define WARPFIBER_CUBLASXT_SYMM_DECLARED(name, T) WARPFIBER_CUBLASXT_SYMM(name, T);
#define WARPFIBER_CUBLASXT_SYRK_DECLARED(name, T, R) WARPFIBER_CUBLASXT_SYRK(name, T, R);
#define WARPFIBER_CUBLASXT_SYR2K_DECLARED(name, T, R) WARPFIBER_CUBLASXT_SYR2K(name, T, R);
#define WARPFIBER_CUBLASXT_TRSM_DECLARED(t, T) WARPFIBER_CUBLASXT_TRSM(t, T);
#define WARPFIBER_CUBLASXT_TRMM_DECLARED(t, T) WARPFIBER_CUBLASXT_TRMM(t, T);
// clang-format on

WARPFIBER_C_BEGIN

cublasStatus_t cublasXtCreate(cublasXtHandle_t* handle);
cublasStatus_t cublasXtDestroy(cublasXtHandle_t handle);
cublasStatus_t cublasXtGetNumBoards(int nbDevices, int* deviceId, int* nbBoards);
cublasStatus_t cublasXtMaxBoards(int* nbGpuBoards);
cublasStatus_t cublasXtDeviceSelect(cublasXtHandle_t handle, int nbDevices, int* deviceId);
cublasStatus_t cublasXtSetBlockDim(cublasXtHandle_t handle, int blockDim);
cublasStatus_t cublasXtGetBlockDim(cublasXtHandle_t handle, int* blockDim);
cublasStatus_t cublasXtSetPinningMemMode(cublasXtHandle_t handle, cublasXtPinnedMemMode_t mode);
cublasStatus_t cublasXtGetPinningMemMode(cublasXtHandle_t handle, cublasXtPinnedMemMode_t* mode);

WARPFIBER_CUBLASXT_FUNCTIONS(WARPFIBER_CUBLASXT_GEMM_DECLARED, WARPFIBER_CUBLASXT_SYMM_DECLARED,
                             WARPFIBER_CUBLASXT_SYRK_DECLARED, WARPFIBER_CUBLASXT_SYR2K_DECLARED,
                             WARPFIBER_CUBLASXT_TRSM_DECLARED, WARPFIBER_CUBLASXT_TRMM_DECLARED)

WARPFIBER_C_END
