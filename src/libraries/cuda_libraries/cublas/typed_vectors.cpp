// SPDX-License-Identifier: Apache-2.0
// Level 1 of cuBLAS for types that are arguments. Elements of 16 bits are computed with as floats and rounded once.
#include <warpfiber/cuda/cublas/typed_api.h>

#include <cstdint>

#include "cuda_libraries/cublas/vector_functions.hpp"

namespace warpfiber::cuda_libraries {
namespace {

/// Calls `use` with a value of the type of the elements.
template <class Use>
CublasResult for_type(CublasOperation& operation, const VectorTypes& types, Use use) {
  if (operation.failed()) return operation.result();
  switch (types.x) {
    case CUDA_R_16F: return use(__half{});
    case CUDA_R_16BF: return use(__nv_bfloat16{});
    case CUDA_R_32F: return use(float{});
    case CUDA_R_64F: return use(double{});
    case CUDA_C_32F: return use(std::complex<float>{});
    case CUDA_C_64F: return use(std::complex<double>{});
    default: return types.not_modelled();
  }
}

template <class T>
Vector<T> typed(void* at, std::ptrdiff_t n, std::ptrdiff_t increment) {
  return {static_cast<T*>(at), n, increment};
}
template <class T>
Vector<const T> typed(const void* at, std::ptrdiff_t n, std::ptrdiff_t increment) {
  return {static_cast<const T*>(at), n, increment};
}

template <class Compute>
CublasResult length_of(CublasOperation& operation, std::int64_t n, const void* x, std::int64_t incx, void* result,
                       const VectorTypes& types, Compute compute) {
  return for_type(operation, types, [&](auto of) {
    using T = decltype(of);
    if (!types.are<T, LengthOf<T>, LengthOf<Sum<T>>>()) return types.not_modelled();
    return reduce(operation, typed<T>(x, n, incx), static_cast<LengthOf<T>*>(result), compute);
  });
}

template <class Int, class Compute>
CublasResult index_of(CublasOperation& operation, Int n, const void* x, Int incx, Int* result, cudaDataType type,
                      Compute compute) {
  return for_type(operation, {type, type, type, type},
                  [&](auto of) { return reduce(operation, typed<decltype(of)>(x, n, incx), result, compute); });
}

/// Moves elements of any type as they are.
CublasResult move_elements(CublasOperation& operation, std::int64_t n, const void* x, cudaDataType x_type,
                           std::int64_t incx, void* y, cudaDataType y_type, std::int64_t incy, bool swaps) {
  const VectorTypes types{x_type, y_type, x_type, x_type};
  return for_type(operation, types, [&](auto of) {
    using T = decltype(of);
    if (x_type != y_type) return types.not_modelled();
    if (!swaps) return copy_elements(operation, typed<T>(x, n, incx), typed<T>(y, n, incy));
    return swap_elements(operation, typed<T>(const_cast<void*>(x), n, incx), typed<T>(y, n, incy));
  });
}

CublasResult add_scaled_typed(CublasOperation& operation, std::int64_t n, const void* alpha, const void* x,
                              std::int64_t incx, void* y, std::int64_t incy, const VectorTypes& types) {
  return for_type(operation, types, [&](auto of) {
    using T = decltype(of);
    if (!types.are<T, Sum<T>>()) return types.not_modelled();
    return add_scaled(operation, static_cast<const Sum<T>*>(alpha), typed<T>(x, n, incx), typed<T>(y, n, incy));
  });
}

CublasResult scale_typed(CublasOperation& operation, std::int64_t n, const void* alpha, void* x, std::int64_t incx,
                         const VectorTypes& types) {
  return for_type(operation, types, [&](auto of) {
    using T = decltype(of);
    if (!types.are<T, Sum<T>>()) return types.not_modelled();
    return scale(operation, static_cast<const Sum<T>*>(alpha), typed<T>(x, n, incx));
  });
}

CublasResult dot_of(CublasOperation& operation, bool conjugated, std::int64_t n, const void* x, std::int64_t incx,
                    const void* y, std::int64_t incy, void* result, const VectorTypes& types) {
  return for_type(operation, types, [&](auto of) {
    using T = decltype(of);
    if (!types.are<T, T>()) return types.not_modelled();
    return dot(operation, conjugated, typed<T>(x, n, incx), typed<T>(y, n, incy), static_cast<T*>(result));
  });
}

CublasResult rotate_typed(CublasOperation& operation, std::int64_t n, void* x, std::int64_t incx, void* y,
                          std::int64_t incy, const void* c, const void* s, const VectorTypes& types) {
  return for_type(operation, types, [&](auto of) {
    using T = decltype(of);
    const auto with = [&](auto as) {
      using C = decltype(as);
      return rotate(operation, typed<T>(x, n, incx), typed<T>(y, n, incy), static_cast<const C*>(c),
                    static_cast<const C*>(s));
    };
    if (types.are<T, T>()) return with(T{});
    if (types.are<T, LengthOf<T>>()) return with(LengthOf<T>{});
    return types.not_modelled();
  });
}

}  // namespace
}  // namespace warpfiber::cuda_libraries

using namespace warpfiber::cuda_libraries;

extern "C" {

#define WARPFIBER_CALL(...) \
  return cublas_operation(__func__, handle, [&](CublasOperation& operation) { return __VA_ARGS__; })

#define WARPFIBER_TYPED_VECTORS(Int, wide)                                                                             \
  cublasStatus_t cublasAxpyEx##wide(cublasHandle_t handle, Int n, const void* alpha, cudaDataType alphaType,           \
                                    const void* x, cudaDataType xType, Int incx, void* y, cudaDataType yType,          \
                                    Int incy, cudaDataType executionType) {                                            \
    WARPFIBER_CALL(                                                                                                    \
        add_scaled_typed(operation, n, alpha, x, incx, y, incy, {xType, yType, alphaType, executionType, true}));      \
  }                                                                                                                    \
  cublasStatus_t cublasScalEx##wide(cublasHandle_t handle, Int n, const void* alpha, cudaDataType alphaType, void* x,  \
                                    cudaDataType xType, Int incx, cudaDataType executionType) {                        \
    WARPFIBER_CALL(scale_typed(operation, n, alpha, x, incx, {xType, xType, alphaType, executionType, true}));         \
  }                                                                                                                    \
  cublasStatus_t cublasDotEx##wide(cublasHandle_t handle, Int n, const void* x, cudaDataType xType, Int incx,          \
                                   const void* y, cudaDataType yType, Int incy, void* result, cudaDataType resultType, \
                                   cudaDataType executionType) {                                                       \
    WARPFIBER_CALL(                                                                                                    \
        dot_of(operation, false, n, x, incx, y, incy, result, {xType, yType, resultType, executionType, true}));       \
  }                                                                                                                    \
  cublasStatus_t cublasDotcEx##wide(cublasHandle_t handle, Int n, const void* x, cudaDataType xType, Int incx,         \
                                    const void* y, cudaDataType yType, Int incy, void* result,                         \
                                    cudaDataType resultType, cudaDataType executionType) {                             \
    WARPFIBER_CALL(                                                                                                    \
        dot_of(operation, true, n, x, incx, y, incy, result, {xType, yType, resultType, executionType, true}));        \
  }                                                                                                                    \
  cublasStatus_t cublasNrm2Ex##wide(cublasHandle_t handle, Int n, const void* x, cudaDataType xType, Int incx,         \
                                    void* result, cudaDataType resultType, cudaDataType executionType) {               \
    WARPFIBER_CALL(                                                                                                    \
        length_of(operation, n, x, incx, result, {xType, xType, resultType, executionType, true}, EuclideanNorm{}));   \
  }                                                                                                                    \
  cublasStatus_t cublasAsumEx##wide(cublasHandle_t handle, Int n, const void* x, cudaDataType xType, Int incx,         \
                                    void* result, cudaDataType resultType, cudaDataType executionType) {               \
    WARPFIBER_CALL(length_of(operation, n, x, incx, result, {xType, xType, resultType, executionType}, SumOfSizes{})); \
  }                                                                                                                    \
  cublasStatus_t cublasIamaxEx##wide(cublasHandle_t handle, Int n, const void* x, cudaDataType xType, Int incx,        \
                                     Int* result) {                                                                    \
    WARPFIBER_CALL(index_of<Int>(operation, n, x, incx, result, xType, IndexOfExtreme<true>{}));                       \
  }                                                                                                                    \
  cublasStatus_t cublasIaminEx##wide(cublasHandle_t handle, Int n, const void* x, cudaDataType xType, Int incx,        \
                                     Int* result) {                                                                    \
    WARPFIBER_CALL(index_of<Int>(operation, n, x, incx, result, xType, IndexOfExtreme<false>{}));                      \
  }                                                                                                                    \
  cublasStatus_t cublasCopyEx##wide(cublasHandle_t handle, Int n, const void* x, cudaDataType xType, Int incx,         \
                                    void* y, cudaDataType yType, Int incy) {                                           \
    WARPFIBER_CALL(move_elements(operation, n, x, xType, incx, y, yType, incy, false));                                \
  }                                                                                                                    \
  cublasStatus_t cublasSwapEx##wide(cublasHandle_t handle, Int n, void* x, cudaDataType xType, Int incx, void* y,      \
                                    cudaDataType yType, Int incy) {                                                    \
    WARPFIBER_CALL(move_elements(operation, n, x, xType, incx, y, yType, incy, true));                                 \
  }                                                                                                                    \
  cublasStatus_t cublasRotEx##wide(cublasHandle_t handle, Int n, void* x, cudaDataType xType, Int incx, void* y,       \
                                   cudaDataType yType, Int incy, const void* c, const void* s, cudaDataType csType,    \
                                   cudaDataType executionType) {                                                       \
    WARPFIBER_CALL(rotate_typed(operation, n, x, incx, y, incy, c, s, {xType, yType, csType, executionType}));         \
  }
WARPFIBER_TYPED_VECTORS(int, )
WARPFIBER_TYPED_VECTORS(int64_t, _64)

}  // extern "C"
