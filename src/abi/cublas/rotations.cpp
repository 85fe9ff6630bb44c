// SPDX-License-Identifier: Apache-2.0
// Rotations of cuBLAS's level 1. Their numbers are in the program's memory or in that of the device, by pointer mode.
#include "dense/rotations.hpp"

#include "abi/cublas/arguments.hpp"

namespace warpfiber::abi {
namespace {

/// Does `work` with numbers that a function reads and writes: now where they are the host's, else in its turn.
template <class Work, class... Numbers>
CublasResult with_numbers(CublasOperation& operation, Work work, Numbers*... at) {
  if (((at == nullptr) || ...)) operation.fail(CUBLAS_STATUS_INVALID_VALUE, ReasonKind::result_pointer_null);
  if (operation.failed()) return operation.result();
  if (!operation.is_on_device()) {
    work();
    return {};
  }
  for (const bool writes : {false, true}) {
    (operation.add("number", writes, device_memory::line(at, sizeof(*at)), {sizeof(*at)}), ...);
  }
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

}  // namespace
}  // namespace warpfiber::abi

using namespace warpfiber;
using namespace warpfiber::abi;

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

#define WARPFIBER_ROTATION_MAKERS(t, T)                                                                                \
  cublasStatus_t cublas##t##rotmg(cublasHandle_t handle, T* d1, T* d2, T* x1, const T* y1, T* param) {                 \
    return cublas_operation(__func__, handle, [&](CublasOperation& operation) {                                        \
      auto* const all = reinterpret_cast<Parameters<T>*>(param);                                                       \
      return with_numbers(                                                                                             \
          operation, [=] { dense::ModifiedRotationMaker<T>(*d1, *d2, *x1).make(*y1, all->values); }, d1, d2, x1, all); \
    });                                                                                                                \
  }
WARPFIBER_ROTATION_MAKERS(S, float)
WARPFIBER_ROTATION_MAKERS(D, double)

}  // extern "C"
