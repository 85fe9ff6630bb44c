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
#define WARPFIBER_CUBLAS_LEVEL_1(t, T, Int, wide)                                                                      \
  cublasStatus_t cublas##t##axpy##wide(cublasHandle_t handle, Int n, const T* alpha, const T* x, Int incx, T* y, Int incy); \
  cublasStatus_t cublas##t##scal##wide(cublasHandle_t handle, Int n, const T* alpha, T* x, Int incx);                  \
  cublasStatus_t cublas##t##copy##wide(cublasHandle_t handle, Int n, const T* x, Int incx, T* y, Int incy);            \
  cublasStatus_t cublas##t##swap##wide(cublasHandle_t handle, Int n, T* x, Int incx, T* y, Int incy);

#define WARPFIBER_CUBLAS_REDUCTIONS(t, i, T, R, Int, wide)                                                             \
  cublasStatus_t cublas##t##nrm2##wide(cublasHandle_t handle, Int n, const T* x, Int incx, R* result);                 \
  cublasStatus_t cublas##i##asum##wide(cublasHandle_t handle, Int n, const T* x, Int incx, R* result);

#define WARPFIBER_CUBLAS_INDICES(t, T, Int, wide)                                                                      \
  cublasStatus_t cublasI##t##amax##wide(cublasHandle_t handle, Int n, const T* x, Int incx, Int* result);              \
  cublasStatus_t cublasI##t##amin##wide(cublasHandle_t handle, Int n, const T* x, Int incx, Int* result);

#define WARPFIBER_CUBLAS_DOT(function, T, Int, wide)                                                                   \
  cublasStatus_t cublas##function##wide(cublasHandle_t handle, Int n, const T* x, Int incx, const T* y, Int incy, T* result);

#define WARPFIBER_CUBLAS_ROTG(t, T, R)                                                                                 \
  cublasStatus_t cublas##t##rotg(cublasHandle_t handle, T* a, T* b, R* c, T* s);

#define WARPFIBER_CUBLAS_ROTM(t, T, Int, wide)                                                                                    \
  cublasStatus_t cublas##t##rotm##wide(cublasHandle_t handle, Int n, T* x, Int incx, T* y, Int incy,                    \
                                       const T* param);

#define WARPFIBER_CUBLAS_GER(function, T, Int, wide)                                                                   \
  cublasStatus_t cublas##function##wide(cublasHandle_t handle, Int m, Int n, const T* alpha, const T* x, Int incx,     \
                                  const T* y, Int incy, T* A, Int lda);

#define WARPFIBER_CUBLAS_SYMV(function, T, Int, wide)                                                                  \
  cublasStatus_t cublas##function##wide(cublasHandle_t handle, cublasFillMode_t uplo, Int n, const T* alpha, const T* A, \
                                  Int lda, const T* x, Int incx, const T* beta, T* y, Int incy);

#define WARPFIBER_CUBLAS_SYMM(function, T, Int, wide)                                                                  \
  cublasStatus_t cublas##function##wide(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo, Int m, Int n, \
                                  const T* alpha, const T* A, Int lda, const T* B, Int ldb, const T* beta, T* C,       \
                                  Int ldc);

#define WARPFIBER_CUBLAS_SYRK(function, T, R, Int, wide)                                                               \
  cublasStatus_t cublas##function##wide(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, Int n, Int k, \
                                  const R* alpha, const T* A, Int lda, const R* beta, T* C, Int ldc);

#define WARPFIBER_CUBLAS_GEMM(t, T, Int, wide)                                                                         \
  cublasStatus_t cublas##t##gemm##wide(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, Int m, \
                                 Int n, Int k, const T* alpha, const T* A, Int lda, const T* B, Int ldb,               \
                                 const T* beta, T* C, Int ldc);                                                        \
  cublasStatus_t cublas##t##gemmStridedBatched##wide(cublasHandle_t handle, cublasOperation_t transa,                  \
                                               cublasOperation_t transb, Int m, Int n, Int k, const T* alpha,          \
                                               const T* A, Int lda, long long int strideA, const T* B, Int ldb,        \
                                               long long int strideB, const T* beta, T* C, Int ldc,                    \
                                               long long int strideC, Int batchCount);                                 \
  cublasStatus_t cublas##t##gemmBatched##wide(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, \
                                        Int m, Int n, Int k, const T* alpha, const T* const Aarray[], Int lda,         \
                                        const T* const Barray[], Int ldb, const T* beta, T* const Carray[], Int ldc,   \
                                        Int batchCount);

#define WARPFIBER_CUBLAS_MATRICES(t, T, Int, wide)                                                                     \
  cublasStatus_t cublas##t##gemv##wide(cublasHandle_t handle, cublasOperation_t trans, Int m, Int n, const T* alpha,   \
                                 const T* A, Int lda, const T* x, Int incx, const T* beta, T* y, Int incy);            \
  cublasStatus_t cublas##t##trsv##wide(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans,          \
                                 cublasDiagType_t diag, Int n, const T* A, Int lda, T* x, Int incx);                   \
  cublasStatus_t cublas##t##trmv##wide(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans,          \
                                 cublasDiagType_t diag, Int n, const T* A, Int lda, T* x, Int incx);                   \
  cublasStatus_t cublas##t##trsm##wide(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo,            \
                                 cublasOperation_t trans, cublasDiagType_t diag, Int m, Int n, const T* alpha,         \
                                 const T* A, Int lda, T* B, Int ldb);                                                  \
  cublasStatus_t cublas##t##trmm##wide(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo,            \
                                 cublasOperation_t trans, cublasDiagType_t diag, Int m, Int n, const T* alpha,         \
                                 const T* A, Int lda, const T* B, Int ldb, T* C, Int ldc);                             \
  cublasStatus_t cublas##t##geam##wide(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, Int m, \
                                 Int n, const T* alpha, const T* A, Int lda, const T* beta, const T* B, Int ldb,       \
                                 T* C, Int ldc);                                                                       \
  cublasStatus_t cublas##t##dgmm##wide(cublasHandle_t handle, cublasSideMode_t mode, Int m, Int n, const T* A, Int lda, \
                                 const T* x, Int incx, T* C, Int ldc);

#define WARPFIBER_CUBLAS_COPIES(Int, wide)                                                                             \
  cublasStatus_t cublasSetVector##wide(Int n, Int elemSize, const void* x, Int incx, void* devicePtr, Int incy);       \
  cublasStatus_t cublasGetVector##wide(Int n, Int elemSize, const void* x, Int incx, void* y, Int incy);               \
  cublasStatus_t cublasSetMatrix##wide(Int rows, Int cols, Int elemSize, const void* A, Int lda, void* B, Int ldb);    \
  cublasStatus_t cublasGetMatrix##wide(Int rows, Int cols, Int elemSize, const void* A, Int lda, void* B, Int ldb);    \
  cublasStatus_t cublasSetVectorAsync##wide(Int n, Int elemSize, const void* hostPtr, Int incx, void* devicePtr, Int incy, \
                                      cudaStream_t stream);                                                            \
  cublasStatus_t cublasGetVectorAsync##wide(Int n, Int elemSize, const void* devicePtr, Int incx, void* hostPtr, Int incy, \
                                      cudaStream_t stream);                                                            \
  cublasStatus_t cublasSetMatrixAsync##wide(Int rows, Int cols, Int elemSize, const void* A, Int lda, void* B, Int ldb, \
                                      cudaStream_t stream);                                                            \
  cublasStatus_t cublasGetMatrixAsync##wide(Int rows, Int cols, Int elemSize, const void* A, Int lda, void* B, Int ldb, \
                                      cudaStream_t stream);

#define WARPFIBER_CUBLAS_OF_OTHER_TYPES(Int, wide)                                                                     \
  cublasStatus_t cublasCsscal##wide(cublasHandle_t handle, Int n, const float* alpha, float2* x, Int incx);            \
  cublasStatus_t cublasZdscal##wide(cublasHandle_t handle, Int n, const double* alpha, double2* x, Int incx);          \
  cublasStatus_t cublasSrot##wide(cublasHandle_t handle, Int n, float* x, Int incx, float* y, Int incy, const float* c, \
                            const float* s);                                                                           \
  cublasStatus_t cublasDrot##wide(cublasHandle_t handle, Int n, double* x, Int incx, double* y, Int incy, const double* c, \
                            const double* s);                                                                          \
  cublasStatus_t cublasSgemmEx##wide(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, Int m, Int n, \
                               Int k, const float* alpha, const void* A, cudaDataType Atype, Int lda, const void* B,   \
                               cudaDataType Btype, Int ldb, const float* beta, void* C, cudaDataType Ctype, Int ldc);  \
  cublasStatus_t cublasGemmEx##wide(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, Int m, Int n, \
                              Int k, const void* alpha, const void* A, cudaDataType Atype, Int lda, const void* B,     \
                              cudaDataType Btype, Int ldb, const void* beta, void* C, cudaDataType Ctype, Int ldc,     \
                              cublasComputeType_t computeType, cublasGemmAlgo_t algo);                                 \
  cublasStatus_t cublasGemmStridedBatchedEx##wide(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, \
                                            Int m, Int n, Int k, const void* alpha, const void* A, cudaDataType Atype, \
                                            Int lda, long long int strideA, const void* B, cudaDataType Btype, Int ldb, \
                                            long long int strideB, const void* beta, void* C, cudaDataType Ctype, Int ldc, \
                                            long long int strideC, Int batchCount, cublasComputeType_t computeType,    \
                                            cublasGemmAlgo_t algo);                                                    \
  cublasStatus_t cublasGemmBatchedEx##wide(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, Int m, \
                                     Int n, Int k, const void* alpha, const void* const Aarray[], cudaDataType Atype,  \
                                     Int lda, const void* const Barray[], cudaDataType Btype, Int ldb, const void* beta, \
                                     void* const Carray[], cudaDataType Ctype, Int ldc, Int batchCount,                \
                                     cublasComputeType_t computeType, cublasGemmAlgo_t algo);
// clang-format on

#define WARPFIBER_CUBLAS_ALL_TYPES(declare) declare(S, float) declare(D, double) declare(C, float2) declare(Z, double2)

// Functions whose sizes are int, and their forms with int64_t.
#define WARPFIBER_CUBLAS_BOTH(declare, ...) declare(__VA_ARGS__, int, ) declare(__VA_ARGS__, int64_t, _64)
#define WARPFIBER_CUBLAS_ALL_BOTH(declare)  \
  WARPFIBER_CUBLAS_BOTH(declare, S, float)  \
  WARPFIBER_CUBLAS_BOTH(declare, D, double) \
  WARPFIBER_CUBLAS_BOTH(declare, C, float2) WARPFIBER_CUBLAS_BOTH(declare, Z, double2)

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

WARPFIBER_CUBLAS_ALL_BOTH(WARPFIBER_CUBLAS_LEVEL_1)
WARPFIBER_CUBLAS_BOTH(WARPFIBER_CUBLAS_REDUCTIONS, S, S, float, float)
WARPFIBER_CUBLAS_BOTH(WARPFIBER_CUBLAS_REDUCTIONS, D, D, double, double)
WARPFIBER_CUBLAS_BOTH(WARPFIBER_CUBLAS_REDUCTIONS, Sc, Sc, float2, float)
WARPFIBER_CUBLAS_BOTH(WARPFIBER_CUBLAS_REDUCTIONS, Dz, Dz, double2, double)
WARPFIBER_CUBLAS_BOTH(WARPFIBER_CUBLAS_INDICES, s, float)
WARPFIBER_CUBLAS_BOTH(WARPFIBER_CUBLAS_INDICES, d, double)
WARPFIBER_CUBLAS_BOTH(WARPFIBER_CUBLAS_INDICES, c, float2)
WARPFIBER_CUBLAS_BOTH(WARPFIBER_CUBLAS_INDICES, z, double2)
WARPFIBER_CUBLAS_BOTH(WARPFIBER_CUBLAS_DOT, Sdot, float)
WARPFIBER_CUBLAS_BOTH(WARPFIBER_CUBLAS_DOT, Ddot, double)
WARPFIBER_CUBLAS_BOTH(WARPFIBER_CUBLAS_DOT, Cdotu, float2)
WARPFIBER_CUBLAS_BOTH(WARPFIBER_CUBLAS_DOT, Cdotc, float2)
WARPFIBER_CUBLAS_BOTH(WARPFIBER_CUBLAS_DOT, Zdotu, double2)
WARPFIBER_CUBLAS_BOTH(WARPFIBER_CUBLAS_DOT, Zdotc, double2)
WARPFIBER_CUBLAS_ROTG(S, float, float)
WARPFIBER_CUBLAS_ROTG(D, double, double)
WARPFIBER_CUBLAS_ROTG(C, float2, float)
WARPFIBER_CUBLAS_ROTG(Z, double2, double)
WARPFIBER_CUBLAS_BOTH(WARPFIBER_CUBLAS_ROTM, S, float)
WARPFIBER_CUBLAS_BOTH(WARPFIBER_CUBLAS_ROTM, D, double)
cublasStatus_t cublasSrotmg(cublasHandle_t handle, float* d1, float* d2, float* x1, const float* y1, float* param);
cublasStatus_t cublasDrotmg(cublasHandle_t handle, double* d1, double* d2, double* x1, const double* y1, double* param);

WARPFIBER_CUBLAS_BOTH(WARPFIBER_CUBLAS_GER, Sger, float)
WARPFIBER_CUBLAS_BOTH(WARPFIBER_CUBLAS_GER, Dger, double)
WARPFIBER_CUBLAS_BOTH(WARPFIBER_CUBLAS_GER, Cgeru, float2)
WARPFIBER_CUBLAS_BOTH(WARPFIBER_CUBLAS_GER, Cgerc, float2)
WARPFIBER_CUBLAS_BOTH(WARPFIBER_CUBLAS_GER, Zgeru, double2)
WARPFIBER_CUBLAS_BOTH(WARPFIBER_CUBLAS_GER, Zgerc, double2)
WARPFIBER_CUBLAS_BOTH(WARPFIBER_CUBLAS_SYMV, Ssymv, float)
WARPFIBER_CUBLAS_BOTH(WARPFIBER_CUBLAS_SYMV, Dsymv, double)
WARPFIBER_CUBLAS_BOTH(WARPFIBER_CUBLAS_SYMV, Csymv, float2)
WARPFIBER_CUBLAS_BOTH(WARPFIBER_CUBLAS_SYMV, Zsymv, double2)
WARPFIBER_CUBLAS_BOTH(WARPFIBER_CUBLAS_SYMV, Chemv, float2)
WARPFIBER_CUBLAS_BOTH(WARPFIBER_CUBLAS_SYMV, Zhemv, double2)
WARPFIBER_CUBLAS_BOTH(WARPFIBER_CUBLAS_SYMM, Ssymm, float)
WARPFIBER_CUBLAS_BOTH(WARPFIBER_CUBLAS_SYMM, Dsymm, double)
WARPFIBER_CUBLAS_BOTH(WARPFIBER_CUBLAS_SYMM, Csymm, float2)
WARPFIBER_CUBLAS_BOTH(WARPFIBER_CUBLAS_SYMM, Zsymm, double2)
WARPFIBER_CUBLAS_BOTH(WARPFIBER_CUBLAS_SYMM, Chemm, float2)
WARPFIBER_CUBLAS_BOTH(WARPFIBER_CUBLAS_SYMM, Zhemm, double2)
WARPFIBER_CUBLAS_BOTH(WARPFIBER_CUBLAS_SYRK, Ssyrk, float, float)
WARPFIBER_CUBLAS_BOTH(WARPFIBER_CUBLAS_SYRK, Dsyrk, double, double)
WARPFIBER_CUBLAS_BOTH(WARPFIBER_CUBLAS_SYRK, Csyrk, float2, float2)
WARPFIBER_CUBLAS_BOTH(WARPFIBER_CUBLAS_SYRK, Zsyrk, double2, double2)
WARPFIBER_CUBLAS_BOTH(WARPFIBER_CUBLAS_SYRK, Cherk, float2, float)
WARPFIBER_CUBLAS_BOTH(WARPFIBER_CUBLAS_SYRK, Zherk, double2, double)
WARPFIBER_CUBLAS_ALL_BOTH(WARPFIBER_CUBLAS_MATRICES)
WARPFIBER_CUBLAS_ALL_BOTH(WARPFIBER_CUBLAS_GEMM)
WARPFIBER_CUBLAS_BOTH(WARPFIBER_CUBLAS_GEMM, H, struct __half)

WARPFIBER_CUBLAS_COPIES(int, )
WARPFIBER_CUBLAS_COPIES(int64_t, _64)
WARPFIBER_CUBLAS_OF_OTHER_TYPES(int, )
WARPFIBER_CUBLAS_OF_OTHER_TYPES(int64_t, _64)

WARPFIBER_C_END
