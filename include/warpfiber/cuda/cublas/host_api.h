// SPDX-License-Identifier: Apache-2.0
// cuBLAS's interface: handles and helpers, levels 1 to 3, and products of other types. Matrices are stored by columns.
// Every function returns a cublasStatus_t. Any host thread may call; no kernel may. C and C++.
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <warpfiber/cuda/api/handles.h>
#include <warpfiber/cuda/api/library_types.h>
#include <warpfiber/cuda/api/linkage.h>
#include <warpfiber/cuda/api/vector_types.h>
#include <warpfiber/cuda/cublas/types.h>

struct __half;

// clang-format off
#define WARPFIBER_CUBLAS_LEVEL_1(t, T)                                                                                 \
  cublasStatus_t cublas##t##axpy(cublasHandle_t handle, int n, const T* alpha, const T* x, int incx, T* y, int incy);  \
  cublasStatus_t cublas##t##scal(cublasHandle_t handle, int n, const T* alpha, T* x, int incx);                        \
  cublasStatus_t cublas##t##copy(cublasHandle_t handle, int n, const T* x, int incx, T* y, int incy);                  \
  cublasStatus_t cublas##t##swap(cublasHandle_t handle, int n, T* x, int incx, T* y, int incy);

#define WARPFIBER_CUBLAS_REDUCTIONS(t, i, T, R)                                                                        \
  cublasStatus_t cublas##t##nrm2(cublasHandle_t handle, int n, const T* x, int incx, R* result);                       \
  cublasStatus_t cublas##i##asum(cublasHandle_t handle, int n, const T* x, int incx, R* result);

#define WARPFIBER_CUBLAS_INDICES(t, T)                                                                                 \
  cublasStatus_t cublasI##t##amax(cublasHandle_t handle, int n, const T* x, int incx, int* result);                    \
  cublasStatus_t cublasI##t##amin(cublasHandle_t handle, int n, const T* x, int incx, int* result);

#define WARPFIBER_CUBLAS_DOT(function, T)                                                                              \
  cublasStatus_t cublas##function(cublasHandle_t handle, int n, const T* x, int incx, const T* y, int incy, T* result);

#define WARPFIBER_CUBLAS_ROTG(t, T, R)                                                                                 \
  cublasStatus_t cublas##t##rotg(cublasHandle_t handle, T* a, T* b, R* c, T* s);

#define WARPFIBER_CUBLAS_ROTM(t, T)                                                                                    \
  cublasStatus_t cublas##t##rotm(cublasHandle_t handle, int n, T* x, int incx, T* y, int incy, const T* param);        \
  cublasStatus_t cublas##t##rotmg(cublasHandle_t handle, T* d1, T* d2, T* x1, const T* y1, T* param);

#define WARPFIBER_CUBLAS_GER(function, T)                                                                              \
  cublasStatus_t cublas##function(cublasHandle_t handle, int m, int n, const T* alpha, const T* x, int incx,           \
                                  const T* y, int incy, T* A, int lda);

#define WARPFIBER_CUBLAS_SYMV(function, T)                                                                             \
  cublasStatus_t cublas##function(cublasHandle_t handle, cublasFillMode_t uplo, int n, const T* alpha, const T* A,     \
                                  int lda, const T* x, int incx, const T* beta, T* y, int incy);

#define WARPFIBER_CUBLAS_SYMM(function, T)                                                                             \
  cublasStatus_t cublas##function(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo, int m, int n,   \
                                  const T* alpha, const T* A, int lda, const T* B, int ldb, const T* beta, T* C,       \
                                  int ldc);

#define WARPFIBER_CUBLAS_SYRK(function, T, R)                                                                          \
  cublasStatus_t cublas##function(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, int n, int k, \
                                  const R* alpha, const T* A, int lda, const R* beta, T* C, int ldc);

#define WARPFIBER_CUBLAS_GEMM(t, T)                                                                                    \
  cublasStatus_t cublas##t##gemm(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m,     \
                                 int n, int k, const T* alpha, const T* A, int lda, const T* B, int ldb,               \
                                 const T* beta, T* C, int ldc);                                                        \
  cublasStatus_t cublas##t##gemmStridedBatched(cublasHandle_t handle, cublasOperation_t transa,                        \
                                               cublasOperation_t transb, int m, int n, int k, const T* alpha,          \
                                               const T* A, int lda, long long int strideA, const T* B, int ldb,        \
                                               long long int strideB, const T* beta, T* C, int ldc,                    \
                                               long long int strideC, int batchCount);                                 \
  cublasStatus_t cublas##t##gemmBatched(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb,     \
                                        int m, int n, int k, const T* alpha, const T* const Aarray[], int lda,         \
                                        const T* const Barray[], int ldb, const T* beta, T* const Carray[], int ldc,   \
                                        int batchCount);

#define WARPFIBER_CUBLAS_MATRICES(t, T)                                                                                \
  cublasStatus_t cublas##t##gemv(cublasHandle_t handle, cublasOperation_t trans, int m, int n, const T* alpha,         \
                                 const T* A, int lda, const T* x, int incx, const T* beta, T* y, int incy);            \
  cublasStatus_t cublas##t##trsv(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans,                \
                                 cublasDiagType_t diag, int n, const T* A, int lda, T* x, int incx);                   \
  cublasStatus_t cublas##t##trmv(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans,                \
                                 cublasDiagType_t diag, int n, const T* A, int lda, T* x, int incx);                   \
  cublasStatus_t cublas##t##trsm(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo,                  \
                                 cublasOperation_t trans, cublasDiagType_t diag, int m, int n, const T* alpha,         \
                                 const T* A, int lda, T* B, int ldb);                                                  \
  cublasStatus_t cublas##t##trmm(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo,                  \
                                 cublasOperation_t trans, cublasDiagType_t diag, int m, int n, const T* alpha,         \
                                 const T* A, int lda, const T* B, int ldb, T* C, int ldc);                             \
  cublasStatus_t cublas##t##geam(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m,     \
                                 int n, const T* alpha, const T* A, int lda, const T* beta, const T* B, int ldb,       \
                                 T* C, int ldc);                                                                       \
  cublasStatus_t cublas##t##dgmm(cublasHandle_t handle, cublasSideMode_t mode, int m, int n, const T* A, int lda,      \
                                 const T* x, int incx, T* C, int ldc);
// clang-format on

#define WARPFIBER_CUBLAS_ALL_TYPES(declare) declare(S, float) declare(D, double) declare(C, float2) declare(Z, double2)

WARPFIBER_C_BEGIN

cublasStatus_t cublasCreate(cublasHandle_t* handle);
cublasStatus_t cublasDestroy(cublasHandle_t handle);
cublasStatus_t cublasGetVersion(cublasHandle_t handle, int* version);
cublasStatus_t cublasGetProperty(libraryPropertyType type, int* value);
size_t cublasGetCudartVersion(void);
void cublasXerbla(const char* srName, int info);
const char* cublasGetStatusName(cublasStatus_t status);
const char* cublasGetStatusString(cublasStatus_t status);
cublasStatus_t cublasSetStream(cublasHandle_t handle, cudaStream_t streamId);
cublasStatus_t cublasGetStream(cublasHandle_t handle, cudaStream_t* streamId);
cublasStatus_t cublasSetWorkspace(cublasHandle_t handle, void* workspace, size_t workspaceSizeInBytes);
cublasStatus_t cublasSetPointerMode(cublasHandle_t handle, cublasPointerMode_t mode);
cublasStatus_t cublasGetPointerMode(cublasHandle_t handle, cublasPointerMode_t* mode);
cublasStatus_t cublasSetAtomicsMode(cublasHandle_t handle, cublasAtomicsMode_t mode);
cublasStatus_t cublasGetAtomicsMode(cublasHandle_t handle, cublasAtomicsMode_t* mode);
cublasStatus_t cublasSetMathMode(cublasHandle_t handle, cublasMath_t mode);
cublasStatus_t cublasGetMathMode(cublasHandle_t handle, cublasMath_t* mode);
cublasStatus_t cublasSetVector(int n, int elemSize, const void* x, int incx, void* devicePtr, int incy);
cublasStatus_t cublasGetVector(int n, int elemSize, const void* x, int incx, void* y, int incy);
cublasStatus_t cublasSetMatrix(int rows, int cols, int elemSize, const void* A, int lda, void* B, int ldb);
cublasStatus_t cublasGetMatrix(int rows, int cols, int elemSize, const void* A, int lda, void* B, int ldb);
cublasStatus_t cublasSetVectorAsync(int n, int elemSize, const void* hostPtr, int incx, void* devicePtr, int incy,
                                    cudaStream_t stream);
cublasStatus_t cublasGetVectorAsync(int n, int elemSize, const void* devicePtr, int incx, void* hostPtr, int incy,
                                    cudaStream_t stream);
cublasStatus_t cublasSetMatrixAsync(int rows, int cols, int elemSize, const void* A, int lda, void* B, int ldb,
                                    cudaStream_t stream);
cublasStatus_t cublasGetMatrixAsync(int rows, int cols, int elemSize, const void* A, int lda, void* B, int ldb,
                                    cudaStream_t stream);

WARPFIBER_CUBLAS_ALL_TYPES(WARPFIBER_CUBLAS_LEVEL_1)
WARPFIBER_CUBLAS_REDUCTIONS(S, S, float, float)
WARPFIBER_CUBLAS_REDUCTIONS(D, D, double, double)
WARPFIBER_CUBLAS_REDUCTIONS(Sc, Sc, float2, float)
WARPFIBER_CUBLAS_REDUCTIONS(Dz, Dz, double2, double)
WARPFIBER_CUBLAS_INDICES(s, float)
WARPFIBER_CUBLAS_INDICES(d, double)
WARPFIBER_CUBLAS_INDICES(c, float2)
WARPFIBER_CUBLAS_INDICES(z, double2)
WARPFIBER_CUBLAS_DOT(Sdot, float)
WARPFIBER_CUBLAS_DOT(Ddot, double)
WARPFIBER_CUBLAS_DOT(Cdotu, float2)
WARPFIBER_CUBLAS_DOT(Cdotc, float2)
WARPFIBER_CUBLAS_DOT(Zdotu, double2)
WARPFIBER_CUBLAS_DOT(Zdotc, double2)
cublasStatus_t cublasCsscal(cublasHandle_t handle, int n, const float* alpha, float2* x, int incx);
cublasStatus_t cublasZdscal(cublasHandle_t handle, int n, const double* alpha, double2* x, int incx);
cublasStatus_t cublasSrot(cublasHandle_t handle, int n, float* x, int incx, float* y, int incy, const float* c,
                          const float* s);
cublasStatus_t cublasDrot(cublasHandle_t handle, int n, double* x, int incx, double* y, int incy, const double* c,
                          const double* s);
WARPFIBER_CUBLAS_ROTG(S, float, float)
WARPFIBER_CUBLAS_ROTG(D, double, double)
WARPFIBER_CUBLAS_ROTG(C, float2, float)
WARPFIBER_CUBLAS_ROTG(Z, double2, double)
WARPFIBER_CUBLAS_ROTM(S, float)
WARPFIBER_CUBLAS_ROTM(D, double)

WARPFIBER_CUBLAS_GER(Sger, float)
WARPFIBER_CUBLAS_GER(Dger, double)
WARPFIBER_CUBLAS_GER(Cgeru, float2)
WARPFIBER_CUBLAS_GER(Cgerc, float2)
WARPFIBER_CUBLAS_GER(Zgeru, double2)
WARPFIBER_CUBLAS_GER(Zgerc, double2)
WARPFIBER_CUBLAS_SYMV(Ssymv, float)
WARPFIBER_CUBLAS_SYMV(Dsymv, double)
WARPFIBER_CUBLAS_SYMV(Csymv, float2)
WARPFIBER_CUBLAS_SYMV(Zsymv, double2)
WARPFIBER_CUBLAS_SYMV(Chemv, float2)
WARPFIBER_CUBLAS_SYMV(Zhemv, double2)
WARPFIBER_CUBLAS_SYMM(Ssymm, float)
WARPFIBER_CUBLAS_SYMM(Dsymm, double)
WARPFIBER_CUBLAS_SYMM(Csymm, float2)
WARPFIBER_CUBLAS_SYMM(Zsymm, double2)
WARPFIBER_CUBLAS_SYMM(Chemm, float2)
WARPFIBER_CUBLAS_SYMM(Zhemm, double2)
WARPFIBER_CUBLAS_SYRK(Ssyrk, float, float)
WARPFIBER_CUBLAS_SYRK(Dsyrk, double, double)
WARPFIBER_CUBLAS_SYRK(Csyrk, float2, float2)
WARPFIBER_CUBLAS_SYRK(Zsyrk, double2, double2)
WARPFIBER_CUBLAS_SYRK(Cherk, float2, float)
WARPFIBER_CUBLAS_SYRK(Zherk, double2, double)
WARPFIBER_CUBLAS_ALL_TYPES(WARPFIBER_CUBLAS_MATRICES)
WARPFIBER_CUBLAS_ALL_TYPES(WARPFIBER_CUBLAS_GEMM)
WARPFIBER_CUBLAS_GEMM(H, struct __half)

cublasStatus_t cublasSgemmEx(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n,
                             int k, const float* alpha, const void* A, cudaDataType Atype, int lda, const void* B,
                             cudaDataType Btype, int ldb, const float* beta, void* C, cudaDataType Ctype, int ldc);
cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n,
                            int k, const void* alpha, const void* A, cudaDataType Atype, int lda, const void* B,
                            cudaDataType Btype, int ldb, const void* beta, void* C, cudaDataType Ctype, int ldc,
                            cublasComputeType_t computeType, cublasGemmAlgo_t algo);
cublasStatus_t cublasGemmStridedBatchedEx(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb,
                                          int m, int n, int k, const void* alpha, const void* A, cudaDataType Atype,
                                          int lda, long long int strideA, const void* B, cudaDataType Btype, int ldb,
                                          long long int strideB, const void* beta, void* C, cudaDataType Ctype, int ldc,
                                          long long int strideC, int batchCount, cublasComputeType_t computeType,
                                          cublasGemmAlgo_t algo);
cublasStatus_t cublasGemmBatchedEx(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m,
                                   int n, int k, const void* alpha, const void* const Aarray[], cudaDataType Atype,
                                   int lda, const void* const Barray[], cudaDataType Btype, int ldb, const void* beta,
                                   void* const Carray[], cudaDataType Ctype, int ldc, int batchCount,
                                   cublasComputeType_t computeType, cublasGemmAlgo_t algo);

WARPFIBER_C_END
