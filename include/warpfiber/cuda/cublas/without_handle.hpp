// SPDX-License-Identifier: Apache-2.0
// cuBLAS's interface before cublas_v2.h, for C++: its functions have no handle and return what they compute. They
// overload those with a handle, which they call with one that cublasInit() makes. cublasGetError() returns the first
// status since it was called that is not a success.
#pragma once

#include <warpfiber/cuda/api/memory.h>
#include <warpfiber/cuda/cublas/host_api.h>

typedef cublasStatus_t cublasStatus;

namespace warpfiber::legacy_cublas {

struct Library {
  cublasHandle_t handle = nullptr;
  cublasStatus_t error = CUBLAS_STATUS_SUCCESS;

  void keep(cublasStatus_t status) {
    if (error == CUBLAS_STATUS_SUCCESS) error = status;
  }
};
inline Library& library() {
  static Library only;
  return only;
}

inline cublasOperation_t operation(char letter) {
  if (letter == 'n' || letter == 'N') return CUBLAS_OP_N;
  return letter == 't' || letter == 'T' ? CUBLAS_OP_T : CUBLAS_OP_C;
}
inline cublasFillMode_t fill_mode(char letter) {
  return letter == 'l' || letter == 'L' ? CUBLAS_FILL_MODE_LOWER : CUBLAS_FILL_MODE_UPPER;
}
inline cublasSideMode_t side(char letter) {
  return letter == 'l' || letter == 'L' ? CUBLAS_SIDE_LEFT : CUBLAS_SIDE_RIGHT;
}
inline cublasDiagType_t diagonal(char letter) {
  return letter == 'u' || letter == 'U' ? CUBLAS_DIAG_UNIT : CUBLAS_DIAG_NON_UNIT;
}

/// What `call` leaves in a result.
template <class Result, class Call>
Result result_of(Call call) {
  Result result{};
  library().keep(call(library().handle, &result));
  return result;
}

}  // namespace warpfiber::legacy_cublas

inline cublasStatus_t cublasInit() {
  auto& library = warpfiber::legacy_cublas::library();
  return library.handle == nullptr ? cublasCreate(&library.handle) : CUBLAS_STATUS_SUCCESS;
}
inline cublasStatus_t cublasShutdown() {
  auto& library = warpfiber::legacy_cublas::library();
  const cublasHandle_t handle = library.handle;
  library.handle = nullptr;
  return handle == nullptr ? CUBLAS_STATUS_NOT_INITIALIZED : cublasDestroy(handle);
}
inline cublasStatus_t cublasGetError() {
  auto& library = warpfiber::legacy_cublas::library();
  const cublasStatus_t error = library.error;
  library.error = CUBLAS_STATUS_SUCCESS;
  return error;
}
inline cublasStatus_t cublasAlloc(int n, int elemSize, void** devicePtr) {
  if (n <= 0 || elemSize <= 0) return CUBLAS_STATUS_INVALID_VALUE;
  const auto bytes = static_cast<size_t>(n) * static_cast<size_t>(elemSize);
  return cudaMalloc(devicePtr, bytes) == cudaSuccess ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_ALLOC_FAILED;
}
inline cublasStatus_t cublasFree(void* devicePtr) {
  return cudaFree(devicePtr) == cudaSuccess ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_INTERNAL_ERROR;
}
inline cublasStatus_t cublasSetKernelStream(cudaStream_t stream) {
  return cublasSetStream(warpfiber::legacy_cublas::library().handle, stream);
}

// clang-format off
#define WARPFIBER_CUBLAS_CALL(...)                                             \
  auto& library = warpfiber::legacy_cublas::library();                         \
  library.keep(__VA_ARGS__)

#define WARPFIBER_CUBLAS_LEGACY(t, i, T)                                                                              \
  inline void cublas##t##axpy(int n, T alpha, const T* x, int incx, T* y, int incy) {                                 \
    WARPFIBER_CUBLAS_CALL(cublas##t##axpy(library.handle, n, &alpha, x, incx, y, incy));                              \
  }                                                                                                                   \
  inline void cublas##t##scal(int n, T alpha, T* x, int incx) {                                                       \
    WARPFIBER_CUBLAS_CALL(cublas##t##scal(library.handle, n, &alpha, x, incx));                                       \
  }                                                                                                                   \
  inline void cublas##t##copy(int n, const T* x, int incx, T* y, int incy) {                                          \
    WARPFIBER_CUBLAS_CALL(cublas##t##copy(library.handle, n, x, incx, y, incy));                                      \
  }                                                                                                                   \
  inline void cublas##t##swap(int n, T* x, int incx, T* y, int incy) {                                                \
    WARPFIBER_CUBLAS_CALL(cublas##t##swap(library.handle, n, x, incx, y, incy));                                      \
  }                                                                                                                   \
  inline T cublas##t##dot(int n, const T* x, int incx, const T* y, int incy) {                                        \
    return warpfiber::legacy_cublas::result_of<T>(                                                                    \
        [=](cublasHandle_t with, T* to) { return cublas##t##dot(with, n, x, incx, y, incy, to); });                   \
  }                                                                                                                   \
  inline T cublas##t##nrm2(int n, const T* x, int incx) {                                                             \
    return warpfiber::legacy_cublas::result_of<T>(                                                                    \
        [=](cublasHandle_t with, T* to) { return cublas##t##nrm2(with, n, x, incx, to); });                           \
  }                                                                                                                   \
  inline T cublas##t##asum(int n, const T* x, int incx) {                                                             \
    return warpfiber::legacy_cublas::result_of<T>(                                                                    \
        [=](cublasHandle_t with, T* to) { return cublas##t##asum(with, n, x, incx, to); });                           \
  }                                                                                                                   \
  inline int cublasI##i##amax(int n, const T* x, int incx) {                                                          \
    return warpfiber::legacy_cublas::result_of<int>(                                                                  \
        [=](cublasHandle_t with, int* to) { return cublasI##i##amax(with, n, x, incx, to); });                        \
  }                                                                                                                   \
  inline int cublasI##i##amin(int n, const T* x, int incx) {                                                          \
    return warpfiber::legacy_cublas::result_of<int>(                                                                  \
        [=](cublasHandle_t with, int* to) { return cublasI##i##amin(with, n, x, incx, to); });                        \
  }                                                                                                                   \
  inline void cublas##t##gemv(char trans, int m, int n, T alpha, const T* A, int lda, const T* x, int incx, T beta,   \
                              T* y, int incy) {                                                                       \
    WARPFIBER_CUBLAS_CALL(cublas##t##gemv(library.handle, warpfiber::legacy_cublas::operation(trans), m, n, &alpha,   \
                                          A, lda, x, incx, &beta, y, incy));                                          \
  }                                                                                                                   \
  inline void cublas##t##ger(int m, int n, T alpha, const T* x, int incx, const T* y, int incy, T* A, int lda) {      \
    WARPFIBER_CUBLAS_CALL(cublas##t##ger(library.handle, m, n, &alpha, x, incx, y, incy, A, lda));                    \
  }                                                                                                                   \
  inline void cublas##t##gemm(char transa, char transb, int m, int n, int k, T alpha, const T* A, int lda,            \
                              const T* B, int ldb, T beta, T* C, int ldc) {                                           \
    WARPFIBER_CUBLAS_CALL(cublas##t##gemm(library.handle, warpfiber::legacy_cublas::operation(transa),                \
                                          warpfiber::legacy_cublas::operation(transb), m, n, k, &alpha, A, lda, B,    \
                                          ldb, &beta, C, ldc));                                                       \
  }                                                                                                                   \
  inline void cublas##t##trsm(char side, char uplo, char transa, char diag, int m, int n, T alpha, const T* A,        \
                              int lda, T* B, int ldb) {                                                               \
    WARPFIBER_CUBLAS_CALL(cublas##t##trsm(                                                                            \
        library.handle, warpfiber::legacy_cublas::side(side), warpfiber::legacy_cublas::fill_mode(uplo),              \
        warpfiber::legacy_cublas::operation(transa), warpfiber::legacy_cublas::diagonal(diag), m, n, &alpha, A, lda,  \
        B, ldb));                                                                                                     \
  }
// clang-format on

WARPFIBER_CUBLAS_LEGACY(S, s, float)
WARPFIBER_CUBLAS_LEGACY(D, d, double)

#undef WARPFIBER_CUBLAS_LEGACY
#undef WARPFIBER_CUBLAS_CALL
