// SPDX-License-Identifier: Apache-2.0
// cuBLAS's interface before cublas_v2.h, for C++: its functions have no handle and return what they compute. They
// overload those with a handle, which they call with one that cublasInit() makes: letters become choices, and numbers
// pointers to them. cublasGetError() returns the first status since it was called that is not a success.
#pragma once

#include <warpfiber/cuda/api/memory.h>
#include <warpfiber/cuda/cublas/host_api.h>
#include <warpfiber/cuda/cublas/structured.h>

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

/// An argument as the function with a handle has it.
template <class Parameter>
struct Passed {
  Parameter value;
  explicit Passed(Parameter given) : value(given) {}
};
template <>
struct Passed<cublasOperation_t> {
  cublasOperation_t value;
  explicit Passed(char letter) : value(operation(letter)) {}
};
template <>
struct Passed<cublasFillMode_t> {
  cublasFillMode_t value;
  explicit Passed(char letter) : value(fill_mode(letter)) {}
};
template <>
struct Passed<cublasSideMode_t> {
  cublasSideMode_t value;
  explicit Passed(char letter) : value(side(letter)) {}
};
template <>
struct Passed<cublasDiagType_t> {
  cublasDiagType_t value;
  explicit Passed(char letter) : value(diagonal(letter)) {}
};
template <class T>
struct Passed<const T*> {
  T own{};
  const T* value;
  explicit Passed(const T* given) : value(given) {}
  explicit Passed(T given) : own(given), value(&own) {}
  Passed(const Passed&) = delete;
  Passed& operator=(const Passed&) = delete;
};

template <class... Parameters, class... Arguments>
void call(cublasStatus_t (*function)(cublasHandle_t, Parameters...), Arguments... arguments) {
  static_assert(sizeof...(Parameters) == sizeof...(Arguments), "the call has too few or too many arguments");
  library().keep(function(library().handle, Passed<Parameters>(arguments).value...));
}

/// What a function leaves in its last parameter.
template <class Result, class... Parameters, class... Arguments>
Result result_of(cublasStatus_t (*function)(cublasHandle_t, Parameters...), Arguments... arguments) {
  Result result{};
  call(function, arguments..., &result);
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

// `First`: the type of the first parameter, which no handle is.
// clang-format off
#define WARPFIBER_CUBLAS_LEGACY(name, First)                                                  \
  namespace warpfiber::legacy_cublas {                                                        \
  inline constexpr auto* k##name = &::cublas##name;                                           \
  }                                                                                           \
  template <class... Others>                                                                  \
  void cublas##name(First first, Others... others) {                                          \
    warpfiber::legacy_cublas::call(warpfiber::legacy_cublas::k##name, first, others...);      \
  }
#define WARPFIBER_CUBLAS_LEGACY_RESULT(name, Result)                                          \
  namespace warpfiber::legacy_cublas {                                                        \
  inline constexpr auto* k##name = &::cublas##name;                                           \
  }                                                                                           \
  template <class... Others>                                                                  \
  Result cublas##name(int n, Others... others) {                                              \
    return warpfiber::legacy_cublas::result_of<Result>(warpfiber::legacy_cublas::k##name, n, others...); \
  }
// The product replaces B.
#define WARPFIBER_CUBLAS_LEGACY_TRMM(t, T)                                                                            \
  inline void cublas##t##trmm(char side, char uplo, char transa, char diag, int m, int n, T alpha, const T* A,        \
                              int lda, T* B, int ldb) {                                                               \
    warpfiber::legacy_cublas::call<cublasSideMode_t, cublasFillMode_t, cublasOperation_t, cublasDiagType_t, int, int, \
                                   const T*, const T*, int, const T*, int, T*, int>(                                  \
        &cublas##t##trmm, side, uplo, transa, diag, m, n, alpha, A, lda, B, ldb, B, ldb);                             \
  }

#define WARPFIBER_CUBLAS_LEGACY_ALL(t, T)                                                                             \
  WARPFIBER_CUBLAS_LEGACY(t##axpy, int) WARPFIBER_CUBLAS_LEGACY(t##scal, int) WARPFIBER_CUBLAS_LEGACY(t##copy, int)   \
  WARPFIBER_CUBLAS_LEGACY(t##swap, int) WARPFIBER_CUBLAS_LEGACY(t##gemv, char) WARPFIBER_CUBLAS_LEGACY(t##gbmv, char) \
  WARPFIBER_CUBLAS_LEGACY(t##trmv, char) WARPFIBER_CUBLAS_LEGACY(t##tbmv, char)                                       \
  WARPFIBER_CUBLAS_LEGACY(t##tpmv, char) WARPFIBER_CUBLAS_LEGACY(t##trsv, char)                                       \
  WARPFIBER_CUBLAS_LEGACY(t##tbsv, char) WARPFIBER_CUBLAS_LEGACY(t##tpsv, char)                                       \
  WARPFIBER_CUBLAS_LEGACY(t##gemm, char) WARPFIBER_CUBLAS_LEGACY(t##symm, char)                                       \
  WARPFIBER_CUBLAS_LEGACY(t##syrk, char) WARPFIBER_CUBLAS_LEGACY(t##syr2k, char)                                      \
  WARPFIBER_CUBLAS_LEGACY(t##trsm, char) WARPFIBER_CUBLAS_LEGACY_TRMM(t, T)
#define WARPFIBER_CUBLAS_LEGACY_REAL(t, i, T)                                                                         \
  WARPFIBER_CUBLAS_LEGACY_ALL(t, T) WARPFIBER_CUBLAS_LEGACY_INDICES(i)                                                \
  WARPFIBER_CUBLAS_LEGACY(t##rot, int) WARPFIBER_CUBLAS_LEGACY(t##rotm, int) WARPFIBER_CUBLAS_LEGACY(t##rotg, T*)     \
  WARPFIBER_CUBLAS_LEGACY(t##rotmg, T*) WARPFIBER_CUBLAS_LEGACY(t##ger, int) WARPFIBER_CUBLAS_LEGACY(t##symv, char)   \
  WARPFIBER_CUBLAS_LEGACY(t##sbmv, char) WARPFIBER_CUBLAS_LEGACY(t##spmv, char) WARPFIBER_CUBLAS_LEGACY(t##syr, char) \
  WARPFIBER_CUBLAS_LEGACY(t##syr2, char) WARPFIBER_CUBLAS_LEGACY(t##spr, char) WARPFIBER_CUBLAS_LEGACY(t##spr2, char) \
  WARPFIBER_CUBLAS_LEGACY_RESULT(t##dot, T) WARPFIBER_CUBLAS_LEGACY_RESULT(t##nrm2, T)                                \
  WARPFIBER_CUBLAS_LEGACY_RESULT(t##asum, T)
#define WARPFIBER_CUBLAS_LEGACY_COMPLEX(t, i, T)                                                                      \
  WARPFIBER_CUBLAS_LEGACY_ALL(t, T) WARPFIBER_CUBLAS_LEGACY_INDICES(i)                                                \
  WARPFIBER_CUBLAS_LEGACY(t##rotg, T*) WARPFIBER_CUBLAS_LEGACY(t##geru, int) WARPFIBER_CUBLAS_LEGACY(t##gerc, int)    \
  WARPFIBER_CUBLAS_LEGACY(t##hemv, char) WARPFIBER_CUBLAS_LEGACY(t##hbmv, char) WARPFIBER_CUBLAS_LEGACY(t##hpmv, char) \
  WARPFIBER_CUBLAS_LEGACY(t##her, char) WARPFIBER_CUBLAS_LEGACY(t##her2, char) WARPFIBER_CUBLAS_LEGACY(t##hpr, char)  \
  WARPFIBER_CUBLAS_LEGACY(t##hpr2, char) WARPFIBER_CUBLAS_LEGACY(t##hemm, char) WARPFIBER_CUBLAS_LEGACY(t##herk, char) \
  WARPFIBER_CUBLAS_LEGACY(t##her2k, char) WARPFIBER_CUBLAS_LEGACY_RESULT(t##dotu, T)                                  \
  WARPFIBER_CUBLAS_LEGACY_RESULT(t##dotc, T)
#define WARPFIBER_CUBLAS_LEGACY_INDICES(i)                                                                            \
  WARPFIBER_CUBLAS_LEGACY_RESULT(I##i##amax, int) WARPFIBER_CUBLAS_LEGACY_RESULT(I##i##amin, int)
// clang-format on

WARPFIBER_CUBLAS_LEGACY_REAL(S, s, float)
WARPFIBER_CUBLAS_LEGACY_REAL(D, d, double)
WARPFIBER_CUBLAS_LEGACY_COMPLEX(C, c, float2)
WARPFIBER_CUBLAS_LEGACY_COMPLEX(Z, z, double2)
WARPFIBER_CUBLAS_LEGACY(Csscal, int)
WARPFIBER_CUBLAS_LEGACY(Zdscal, int)
WARPFIBER_CUBLAS_LEGACY_RESULT(Scnrm2, float)
WARPFIBER_CUBLAS_LEGACY_RESULT(Scasum, float)
WARPFIBER_CUBLAS_LEGACY_RESULT(Dznrm2, double)
WARPFIBER_CUBLAS_LEGACY_RESULT(Dzasum, double)

inline cublasStatus_t cublasGetVersion(int* version) {
  return cublasGetVersion(warpfiber::legacy_cublas::library().handle, version);
}

#undef WARPFIBER_CUBLAS_LEGACY
#undef WARPFIBER_CUBLAS_LEGACY_RESULT
#undef WARPFIBER_CUBLAS_LEGACY_TRMM
#undef WARPFIBER_CUBLAS_LEGACY_ALL
#undef WARPFIBER_CUBLAS_LEGACY_REAL
#undef WARPFIBER_CUBLAS_LEGACY_COMPLEX
#undef WARPFIBER_CUBLAS_LEGACY_INDICES
