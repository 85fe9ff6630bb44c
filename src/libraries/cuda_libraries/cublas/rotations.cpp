// SPDX-License-Identifier: Apache-2.0
// Rotations of cuBLAS's level 1. Their numbers are in the program's memory or in that of the device, by pointer mode.
#include "dense/rotations.hpp"

#include <warpfiber/cuda/cublas/typed_api.h>

#include "cuda_libraries/cublas/arguments.hpp"
#include "cuda_libraries/cublas/vector_types.hpp"

namespace warpfiber::cuda_libraries {
namespace {

template <class T>
void add_number(CublasOperation& operation, bool writes, T* at) {
  if (writes && std::is_const_v<T>) return;
  operation.add("number", writes, device_memory::line(at, sizeof(T)), {sizeof(T)});
}

/// Does `work` with numbers that a function reads and writes: now where they are the host's, else in its turn.
template <class Work, class... Numbers>
CublasResult with_numbers(CublasOperation& operation, Work work, Numbers*... at) {
  if (((at == nullptr) || ...)) operation.fail(CUBLAS_STATUS_INVALID_VALUE, ReasonKind::result_pointer_null);
  if (!operation.failed()) (operation.scalar("a number", at), ...);
  if (operation.failed()) return operation.result();
  if (!operation.is_on_device()) {
    work();
    return {};
  }
  for (const bool writes : {false, true}) (add_number(operation, writes, at), ...);
  return operation.submit(work);
}

/// The five numbers that rotm is given.
template <class T>
struct Parameters {
  T values[5];
};

template <class T>
CublasResult rotate_modified(CublasOperation& operation, const Vector<T>& x, const Vector<T>& y, const T* parameters) {
  if (parameters == nullptr) operation.fail(CUBLAS_STATUS_INVALID_VALUE, {ReasonKind::end_null, "param"});
  if (!operation.failed()) operation.scalar("param", parameters);
  if (operation.failed() || x.n <= 0) return operation.result();
  const auto* const given = reinterpret_cast<const Parameters<T>*>(parameters);
  const bool on_device = operation.is_on_device();
  if (on_device) operation.add("param", false, device_memory::line(given, sizeof(*given)), {sizeof(*given)});
  for (const bool writes : {false, true}) {
    operation.vector("x", writes, x);
    operation.vector("y", writes, y);
  }
  return operation.submit([=, now = on_device ? Parameters<T>{} : *given] {
    const auto h = dense::ModifiedRotation<T>::of(on_device ? given->values : now.values);
    for (std::ptrdiff_t i = 0; i < x.n; ++i) {
      T& a = x.first()[i * x.increment];
      T& b = y.first()[i * y.increment];
      const T before = a;
      a = h.h11 * before + h.h12 * b;
      b = h.h21 * before + h.h22 * b;
    }
  });
}

/// Calls `use` with a value of the one type that all arguments have.
template <class Use>
CublasResult for_real_type(const CublasOperation& operation, const VectorTypes& types, Use use) {
  if (operation.failed()) return operation.result();
  if (types.are<float, float>()) return use(float{});
  if (types.are<double, double>()) return use(double{});
  return types.not_modelled();
}

}  // namespace
}  // namespace warpfiber::cuda_libraries

using namespace warpfiber;
using namespace warpfiber::cuda_libraries;

extern "C" {

#define WARPFIBER_ROTATIONS(t, T, R)                                                                        \
  cublasStatus_t cublas##t##rotg(cublasHandle_t handle, T* a, T* b, R* c, T* s) {                           \
    return cublas_operation(__func__, handle, [&](CublasOperation& operation) {                             \
      return with_numbers(                                                                                  \
          operation, [=] { dense::make_rotation(*numbers(a), *numbers(b), *c, *numbers(s)); }, a, b, c, s); \
    });                                                                                                     \
  }
WARPFIBER_ROTATIONS(S, float, float)
WARPFIBER_ROTATIONS(D, double, double)
WARPFIBER_ROTATIONS(C, float2, float)
WARPFIBER_ROTATIONS(Z, double2, double)

#define WARPFIBER_MODIFIED_ROTATIONS(t, T, Int, wide)                                                                  \
  cublasStatus_t cublas##t##rotm##wide(cublasHandle_t handle, Int n, T* x, Int incx, T* y, Int incy, const T* param) { \
    return cublas_operation(__func__, handle, [&](CublasOperation& operation) {                                        \
      return rotate_modified<T>(operation, {x, n, incx}, {y, n, incy}, param);                                         \
    });                                                                                                                \
  }
WARPFIBER_CUBLAS_BOTH(WARPFIBER_MODIFIED_ROTATIONS, S, float)
WARPFIBER_CUBLAS_BOTH(WARPFIBER_MODIFIED_ROTATIONS, D, double)

#define WARPFIBER_ROTATION_MAKERS(t, T)                                                                              \
  cublasStatus_t cublas##t##rotmg(cublasHandle_t handle, T* d1, T* d2, T* x1, const T* y1, T* param) {               \
    return cublas_operation(__func__, handle, [&](CublasOperation& operation) {                                      \
      auto* const all = reinterpret_cast<Parameters<T>*>(param);                                                     \
      return with_numbers(                                                                                           \
          operation, [=] { dense::ModifiedRotationMaker<T>(*d1, *d2, *x1).make(*y1, all->values); }, d1, d2, x1, y1, \
          all);                                                                                                      \
    });                                                                                                              \
  }
WARPFIBER_ROTATION_MAKERS(S, float)
WARPFIBER_ROTATION_MAKERS(D, double)

cublasStatus_t cublasRotgEx(cublasHandle_t handle, void* a, void* b, cudaDataType abType, void* c, void* s,
                            cudaDataType csType, cudaDataType executionType) {
  return cublas_operation(__func__, handle, [&](CublasOperation& operation) {
    return for_real_type(operation, {abType, abType, csType, executionType}, [&](auto of) {
      using T = decltype(of);
      const auto make = [](T* x, T* y, T* cosine, T* sine) {
        return [=] { dense::make_rotation(*x, *y, *cosine, *sine); };
      };
      auto* const first = static_cast<T*>(a);
      auto* const second = static_cast<T*>(b);
      auto* const cosine = static_cast<T*>(c);
      auto* const sine = static_cast<T*>(s);
      return with_numbers(operation, make(first, second, cosine, sine), first, second, cosine, sine);
    });
  });
}
#define WARPFIBER_TYPED_ROTM(Int, wide)                                                                           \
  cublasStatus_t cublasRotmEx##wide(cublasHandle_t handle, Int n, void* x, cudaDataType xType, Int incx, void* y, \
                                    cudaDataType yType, Int incy, const void* param, cudaDataType paramType,      \
                                    cudaDataType executionType) {                                                 \
    return cublas_operation(__func__, handle, [&](CublasOperation& operation) {                                   \
      return for_real_type(operation, {xType, yType, paramType, executionType}, [&](auto of) {                    \
        using T = decltype(of);                                                                                   \
        return rotate_modified<T>(operation, {static_cast<T*>(x), n, incx}, {static_cast<T*>(y), n, incy},        \
                                  static_cast<const T*>(param));                                                  \
      });                                                                                                         \
    });                                                                                                           \
  }
WARPFIBER_TYPED_ROTM(int, )
WARPFIBER_TYPED_ROTM(int64_t, _64)

cublasStatus_t cublasRotmgEx(cublasHandle_t handle, void* d1, cudaDataType d1Type, void* d2, cudaDataType d2Type,
                             void* x1, cudaDataType x1Type, const void* y1, cudaDataType y1Type, void* param,
                             cudaDataType paramType, cudaDataType executionType) {
  return cublas_operation(__func__, handle, [&](CublasOperation& operation) {
    const VectorTypes types{d1Type, d2Type, paramType, executionType};
    if (!operation.failed() && (x1Type != d1Type || y1Type != d1Type)) return types.not_modelled();
    return for_real_type(operation, types, [&](auto of) {
      using T = decltype(of);
      auto* const first = static_cast<T*>(d1);
      auto* const second = static_cast<T*>(d2);
      auto* const x = static_cast<T*>(x1);
      const auto* const y = static_cast<const T*>(y1);
      auto* const all = static_cast<Parameters<T>*>(param);
      return with_numbers(
          operation, [=] { dense::ModifiedRotationMaker<T>(*first, *second, *x).make(*y, all->values); }, first, second,
          x, y, all);
    });
  });
}

}  // extern "C"
