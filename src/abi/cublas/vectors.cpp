// SPDX-License-Identifier: Apache-2.0
// Level 1 of cuBLAS: functions of vectors. Sums are added in the type of the elements, in the order of the elements.
#include "abi/cublas/operation.hpp"
#include "dense/norms.hpp"

namespace warpfiber::abi {
namespace {

using dense::conjugate;
using dense::product;

/// Calls `change(x[i], y[i])`.
template <class X, class Y, class Change>
void for_each_pair(const Vector<X>& x, const Vector<Y>& y, Change change) {
  X* from = x.first();
  Y* to = y.first();
  for (std::ptrdiff_t i = 0; i < x.n; ++i) change(from[i * x.increment], to[i * y.increment]);
}

template <class T>
CublasResult axpy(CublasOperation& operation, const T* alpha, const Vector<const T>& x, const Vector<T>& y) {
  const Factor<T> by = operation.factor("alpha", alpha);
  if (operation.failed() || x.n <= 0 || !by.counts()) return operation.result();
  operation.vector("x", false, x);
  operation.vector("y", false, y);
  operation.vector("y", true, y);
  return operation.submit(
      [=] { for_each_pair(x, y, [factor = by.value()](const T& from, T& to) { to += product(factor, from); }); });
}

template <class S, class T>
CublasResult scal(CublasOperation& operation, const S* alpha, const Vector<T>& x) {
  const Factor<S> by = operation.factor("alpha", alpha);
  if (operation.failed() || x.n <= 0 || x.increment <= 0) return operation.result();
  if (by.counts()) operation.vector("x", false, x);
  operation.vector("x", true, x);
  return operation.submit([=] {
    const S factor = by.value();
    for (std::ptrdiff_t i = 0; i < x.n; ++i) {
      T& at = x.at[i * x.increment];
      at = factor == S{} ? T{} : product(T(factor), at);
    }
  });
}

template <class T>
CublasResult copy_vector(CublasOperation& operation, const Vector<const T>& x, const Vector<T>& y) {
  if (operation.failed() || x.n <= 0) return operation.result();
  operation.vector("x", false, x);
  operation.vector("y", true, y);
  return operation.submit([=] { for_each_pair(x, y, [](const T& from, T& to) { to = from; }); });
}

/// `change` reads and writes both.
template <class T, class Change>
CublasResult change_both(CublasOperation& operation, const Vector<T>& x, const Vector<T>& y, Change change) {
  if (operation.failed() || x.n <= 0) return operation.result();
  for (const bool writes : {false, true}) {
    operation.vector("x", writes, x);
    operation.vector("y", writes, y);
  }
  return operation.submit([=] { for_each_pair(x, y, change); });
}

template <class T>
CublasResult rotate(CublasOperation& operation, const Vector<T>& x, const Vector<T>& y, const T* cosine,
                    const T* sine) {
  const Factor<T> c = operation.factor("c", cosine);
  const Factor<T> s = operation.factor("s", sine);
  return change_both(operation, x, y, [=](T& a, T& b) {
    const T before = a;
    a = c.value() * before + s.value() * b;
    b = c.value() * b - s.value() * before;
  });
}

template <class T>
CublasResult dot(CublasOperation& operation, bool conjugated, const Vector<const T>& x, const Vector<const T>& y,
                 T* result) {
  if (!operation.failed() && x.n > 0) {
    operation.vector("x", false, x);
    operation.vector("y", false, y);
  }
  return operation.submit_result(result, [=] {
    T sum{};
    if (x.n > 0) {
      for_each_pair(x, y, [&](const T& a, const T& b) { sum += product(conjugated ? conjugate(a) : a, b); });
    }
    return sum;
  });
}

/// A number for a vector; without elements `R{}`.
template <class T, class R, class Compute>
CublasResult reduce(CublasOperation& operation, const Vector<const T>& x, R* result, Compute compute) {
  const bool empty = x.n <= 0 || x.increment <= 0;
  if (!operation.failed() && !empty) operation.vector("x", false, x);
  return operation.submit_result(result, [=] { return empty ? R{} : compute(x); });
}

template <class R, class T>
R sum_of_sizes(const Vector<const T>& x) {
  R sum{};
  for (std::ptrdiff_t i = 0; i < x.n; ++i) sum += dense::size_of_number(x.at[i * x.increment]);
  return sum;
}

/// The first element whose size is larger than all others, or smaller; counted from 1.
template <bool kLargest, class T>
std::int64_t index_of_extreme(const Vector<const T>& x) {
  std::ptrdiff_t best = 0;
  for (std::ptrdiff_t i = 1; i < x.n; ++i) {
    const auto size = dense::size_of_number(x.at[i * x.increment]);
    const auto so_far = dense::size_of_number(x.at[best * x.increment]);
    if (kLargest ? size > so_far : size < so_far) best = i;
  }
  return best + 1;
}

}  // namespace
}  // namespace warpfiber::abi

using namespace warpfiber::abi;

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
      return axpy(operation, numbers(alpha), vector(x, n, incx), vector(y, n, incy));                            \
    });                                                                                                          \
  }                                                                                                              \
  cublasStatus_t cublas##t##scal##wide(cublasHandle_t handle, Int n, const T* alpha, T* x, Int incx) {           \
    return cublas_operation(__func__, handle, [&](CublasOperation& operation) {                                  \
      return scal(operation, numbers(alpha), vector(x, n, incx));                                                \
    });                                                                                                          \
  }                                                                                                              \
  cublasStatus_t cublas##t##copy##wide(cublasHandle_t handle, Int n, const T* x, Int incx, T* y, Int incy) {     \
    return cublas_operation(__func__, handle, [&](CublasOperation& operation) {                                  \
      return copy_vector(operation, vector(x, n, incx), vector(y, n, incy));                                     \
    });                                                                                                          \
  }                                                                                                              \
  cublasStatus_t cublas##t##swap##wide(cublasHandle_t handle, Int n, T* x, Int incx, T* y, Int incy) {           \
    return cublas_operation(__func__, handle, [&](CublasOperation& operation) {                                  \
      return change_both(operation, vector(x, n, incx), vector(y, n, incy),                                      \
                         [](Number<T>& a, Number<T>& b) { std::swap(a, b); });                                   \
    });                                                                                                          \
  }
WARPFIBER_CUBLAS_ALL_BOTH(WARPFIBER_LEVEL_1)

#define WARPFIBER_INDICES(t, T, Int, wide)                                                                 \
  cublasStatus_t cublasI##t##amax##wide(cublasHandle_t handle, Int n, const T* x, Int incx, Int* result) { \
    return cublas_operation(__func__, handle, [&](CublasOperation& operation) {                            \
      return reduce(operation, vector(x, n, incx), result, [](const Vector<const Number<T>>& all) {        \
        return static_cast<Int>(index_of_extreme<true, Number<T>>(all));                                   \
      });                                                                                                  \
    });                                                                                                    \
  }                                                                                                        \
  cublasStatus_t cublasI##t##amin##wide(cublasHandle_t handle, Int n, const T* x, Int incx, Int* result) { \
    return cublas_operation(__func__, handle, [&](CublasOperation& operation) {                            \
      return reduce(operation, vector(x, n, incx), result, [](const Vector<const Number<T>>& all) {        \
        return static_cast<Int>(index_of_extreme<false, Number<T>>(all));                                  \
      });                                                                                                  \
    });                                                                                                    \
  }
WARPFIBER_CUBLAS_BOTH(WARPFIBER_INDICES, s, float)
WARPFIBER_CUBLAS_BOTH(WARPFIBER_INDICES, d, double)
WARPFIBER_CUBLAS_BOTH(WARPFIBER_INDICES, c, float2)
WARPFIBER_CUBLAS_BOTH(WARPFIBER_INDICES, z, double2)

#define WARPFIBER_REDUCTIONS(t, T, R, Int, wide)                                                        \
  cublasStatus_t cublas##t##nrm2##wide(cublasHandle_t handle, Int n, const T* x, Int incx, R* result) { \
    return cublas_operation(__func__, handle, [&](CublasOperation& operation) {                         \
      return reduce(operation, vector(x, n, incx), result, [](const Vector<const Number<T>>& all) {     \
        return static_cast<R>(warpfiber::dense::euclidean_norm(all.at, all.n, all.increment));          \
      });                                                                                               \
    });                                                                                                 \
  }                                                                                                     \
  cublasStatus_t cublas##t##asum##wide(cublasHandle_t handle, Int n, const T* x, Int incx, R* result) { \
    return cublas_operation(__func__, handle, [&](CublasOperation& operation) {                         \
      return reduce(operation, vector(x, n, incx), result, sum_of_sizes<R, Number<T>>);                 \
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

#define WARPFIBER_VECTORS_OF_OTHER_TYPES(Int, wide)                                                                  \
  cublasStatus_t cublasCsscal##wide(cublasHandle_t handle, Int n, const float* alpha, float2* x, Int incx) {         \
    return cublas_operation(__func__, handle,                                                                        \
                            [&](CublasOperation& operation) { return scal(operation, alpha, vector(x, n, incx)); }); \
  }                                                                                                                  \
  cublasStatus_t cublasZdscal##wide(cublasHandle_t handle, Int n, const double* alpha, double2* x, Int incx) {       \
    return cublas_operation(__func__, handle,                                                                        \
                            [&](CublasOperation& operation) { return scal(operation, alpha, vector(x, n, incx)); }); \
  }                                                                                                                  \
  cublasStatus_t cublasSrot##wide(cublasHandle_t handle, Int n, float* x, Int incx, float* y, Int incy,              \
                                  const float* c, const float* s) {                                                  \
    return cublas_operation(__func__, handle, [&](CublasOperation& operation) {                                      \
      return rotate(operation, vector(x, n, incx), vector(y, n, incy), c, s);                                        \
    });                                                                                                              \
  }                                                                                                                  \
  cublasStatus_t cublasDrot##wide(cublasHandle_t handle, Int n, double* x, Int incx, double* y, Int incy,            \
                                  const double* c, const double* s) {                                                \
    return cublas_operation(__func__, handle, [&](CublasOperation& operation) {                                      \
      return rotate(operation, vector(x, n, incx), vector(y, n, incy), c, s);                                        \
    });                                                                                                              \
  }
WARPFIBER_VECTORS_OF_OTHER_TYPES(int, )
WARPFIBER_VECTORS_OF_OTHER_TYPES(int64_t, _64)

}  // extern "C"
