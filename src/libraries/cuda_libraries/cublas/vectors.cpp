// SPDX-License-Identifier: Apache-2.0
// Level 1 of cuBLAS: functions of vectors. Sums are added in the type of the elements, in the order of the elements.
#include <warpfiber/cuda/cublas/typed_api.h>

#include "cuda_libraries/cublas/vector_functions.hpp"

using namespace warpfiber::cuda_libraries;

namespace {

template <class T>
Vector<Number<T>> vector(T* at, std::int64_t n, std::int64_t increment) {
  return {numbers(at), n, increment};
}
template <class T>
Vector<const Number<T>> vector(const T* at, std::int64_t n, std::int64_t increment) {
  return {numbers(at), n, increment};
}

}  // namespace

extern "C" {

#define WARPFIBER_LEVEL_1(t, T, Int, wide)                                                                       \
  cublasStatus_t cublas##t##axpy##wide(cublasHandle_t handle, Int n, const T* alpha, const T* x, Int incx, T* y, \
                                       Int incy) {                                                               \
    return cublas_operation(__func__, handle, [&](CublasOperation& operation) {                                  \
      return add_scaled(operation, numbers(alpha), vector(x, n, incx), vector(y, n, incy));                      \
    });                                                                                                          \
  }                                                                                                              \
  cublasStatus_t cublas##t##scal##wide(cublasHandle_t handle, Int n, const T* alpha, T* x, Int incx) {           \
    return cublas_operation(__func__, handle, [&](CublasOperation& operation) {                                  \
      return scale(operation, numbers(alpha), vector(x, n, incx));                                               \
    });                                                                                                          \
  }                                                                                                              \
  cublasStatus_t cublas##t##copy##wide(cublasHandle_t handle, Int n, const T* x, Int incx, T* y, Int incy) {     \
    return cublas_operation(__func__, handle, [&](CublasOperation& operation) {                                  \
      return copy_elements(operation, vector(x, n, incx), vector(y, n, incy));                                   \
    });                                                                                                          \
  }                                                                                                              \
  cublasStatus_t cublas##t##swap##wide(cublasHandle_t handle, Int n, T* x, Int incx, T* y, Int incy) {           \
    return cublas_operation(__func__, handle, [&](CublasOperation& operation) {                                  \
      return swap_elements(operation, vector(x, n, incx), vector(y, n, incy));                                   \
    });                                                                                                          \
  }
WARPFIBER_CUBLAS_ALL_BOTH(WARPFIBER_LEVEL_1)

#define WARPFIBER_INDICES(t, T, Int, wide)                                                                 \
  cublasStatus_t cublasI##t##amax##wide(cublasHandle_t handle, Int n, const T* x, Int incx, Int* result) { \
    return cublas_operation(__func__, handle, [&](CublasOperation& operation) {                            \
      return reduce(operation, vector(x, n, incx), result, IndexOfExtreme<true>{});                        \
    });                                                                                                    \
  }                                                                                                        \
  cublasStatus_t cublasI##t##amin##wide(cublasHandle_t handle, Int n, const T* x, Int incx, Int* result) { \
    return cublas_operation(__func__, handle, [&](CublasOperation& operation) {                            \
      return reduce(operation, vector(x, n, incx), result, IndexOfExtreme<false>{});                       \
    });                                                                                                    \
  }
WARPFIBER_CUBLAS_BOTH(WARPFIBER_INDICES, s, float)
WARPFIBER_CUBLAS_BOTH(WARPFIBER_INDICES, d, double)
WARPFIBER_CUBLAS_BOTH(WARPFIBER_INDICES, c, float2)
WARPFIBER_CUBLAS_BOTH(WARPFIBER_INDICES, z, double2)

#define WARPFIBER_REDUCTIONS(t, T, R, Int, wide)                                                        \
  cublasStatus_t cublas##t##nrm2##wide(cublasHandle_t handle, Int n, const T* x, Int incx, R* result) { \
    return cublas_operation(__func__, handle, [&](CublasOperation& operation) {                         \
      return reduce(operation, vector(x, n, incx), result, EuclideanNorm{});                            \
    });                                                                                                 \
  }                                                                                                     \
  cublasStatus_t cublas##t##asum##wide(cublasHandle_t handle, Int n, const T* x, Int incx, R* result) { \
    return cublas_operation(__func__, handle, [&](CublasOperation& operation) {                         \
      return reduce(operation, vector(x, n, incx), result, SumOfSizes{});                               \
    });                                                                                                 \
  }
WARPFIBER_CUBLAS_BOTH(WARPFIBER_REDUCTIONS, S, float, float)
WARPFIBER_CUBLAS_BOTH(WARPFIBER_REDUCTIONS, D, double, double)
WARPFIBER_CUBLAS_BOTH(WARPFIBER_REDUCTIONS, Sc, float2, float)
WARPFIBER_CUBLAS_BOTH(WARPFIBER_REDUCTIONS, Dz, double2, double)

#define WARPFIBER_DOT(function, T, conjugated, Int, wide)                                                         \
  cublasStatus_t cublas##function##wide(cublasHandle_t handle, Int n, const T* x, Int incx, const T* y, Int incy, \
                                        T* result) {                                                              \
    return cublas_operation(__func__, handle, [&](CublasOperation& operation) {                                   \
      return dot(operation, conjugated, vector(x, n, incx), vector(y, n, incy), numbers(result));                 \
    });                                                                                                           \
  }
WARPFIBER_CUBLAS_BOTH(WARPFIBER_DOT, Sdot, float, false)
WARPFIBER_CUBLAS_BOTH(WARPFIBER_DOT, Ddot, double, false)
WARPFIBER_CUBLAS_BOTH(WARPFIBER_DOT, Cdotu, float2, false)
WARPFIBER_CUBLAS_BOTH(WARPFIBER_DOT, Cdotc, float2, true)
WARPFIBER_CUBLAS_BOTH(WARPFIBER_DOT, Zdotu, double2, false)
WARPFIBER_CUBLAS_BOTH(WARPFIBER_DOT, Zdotc, double2, true)

#define WARPFIBER_VECTORS_OF_OTHER_TYPES(Int, wide)                                                                   \
  cublasStatus_t cublasCsscal##wide(cublasHandle_t handle, Int n, const float* alpha, float2* x, Int incx) {          \
    return cublas_operation(__func__, handle,                                                                         \
                            [&](CublasOperation& operation) { return scale(operation, alpha, vector(x, n, incx)); }); \
  }                                                                                                                   \
  cublasStatus_t cublasZdscal##wide(cublasHandle_t handle, Int n, const double* alpha, double2* x, Int incx) {        \
    return cublas_operation(__func__, handle,                                                                         \
                            [&](CublasOperation& operation) { return scale(operation, alpha, vector(x, n, incx)); }); \
  }                                                                                                                   \
  cublasStatus_t cublasSrot##wide(cublasHandle_t handle, Int n, float* x, Int incx, float* y, Int incy,               \
                                  const float* c, const float* s) {                                                   \
    return cublas_operation(__func__, handle, [&](CublasOperation& operation) {                                       \
      return rotate(operation, vector(x, n, incx), vector(y, n, incy), c, s);                                         \
    });                                                                                                               \
  }                                                                                                                   \
  cublasStatus_t cublasDrot##wide(cublasHandle_t handle, Int n, double* x, Int incx, double* y, Int incy,             \
                                  const double* c, const double* s) {                                                 \
    return cublas_operation(__func__, handle, [&](CublasOperation& operation) {                                       \
      return rotate(operation, vector(x, n, incx), vector(y, n, incy), c, s);                                         \
    });                                                                                                               \
  }
WARPFIBER_VECTORS_OF_OTHER_TYPES(int, )
WARPFIBER_VECTORS_OF_OTHER_TYPES(int64_t, _64)

#define WARPFIBER_COMPLEX_ROTATION(function, T, S, R, Int, wide)                                                  \
  cublasStatus_t cublas##function##wide(cublasHandle_t handle, Int n, T* x, Int incx, T* y, Int incy, const R* c, \
                                        const S* s) {                                                             \
    return cublas_operation(__func__, handle, [&](CublasOperation& operation) {                                   \
      return rotate(operation, vector(x, n, incx), vector(y, n, incy), c, numbers(s));                            \
    });                                                                                                           \
  }
WARPFIBER_CUBLAS_BOTH(WARPFIBER_COMPLEX_ROTATION, Crot, float2, float2, float)
WARPFIBER_CUBLAS_BOTH(WARPFIBER_COMPLEX_ROTATION, Zrot, double2, double2, double)
WARPFIBER_CUBLAS_BOTH(WARPFIBER_COMPLEX_ROTATION, Csrot, float2, float, float)
WARPFIBER_CUBLAS_BOTH(WARPFIBER_COMPLEX_ROTATION, Zdrot, double2, double, double)

}  // extern "C"
