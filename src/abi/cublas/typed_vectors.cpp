// SPDX-License-Identifier: Apache-2.0
// Level 1 of cuBLAS for types that are arguments. Elements of 16 bits are computed with as floats and rounded once.
#include <warpfiber/cuda/cublas/typed_api.h>

#include <cstdint>
#include <utility>
#include <vector>

#include "abi/cublas/arguments.hpp"
#include "abi/cublas/vector_types.hpp"
#include "dense/norms.hpp"

namespace warpfiber::abi {
namespace {

template <class T>
Sum<T> number(const T& element) {
  return static_cast<Sum<T>>(element);
}

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

/// Submits `change` of each pair of elements. `reads_y`: whether it reads those of y as well.
template <class X, class Y, class Change>
CublasResult change_pairs(CublasOperation& operation, const Vector<X>& x, const Vector<Y>& y, bool reads_y,
                          Change change) {
  if (operation.failed() || x.n <= 0) return operation.result();
  operation.vector("x", false, x);
  if (reads_y) operation.vector("y", false, y);
  if (!std::is_const_v<X>) operation.vector("x", true, x);
  operation.vector("y", true, y);
  return operation.submit([=] {
    for (std::ptrdiff_t i = 0; i < x.n; ++i) change(x.first()[i * x.increment], y.first()[i * y.increment]);
  });
}

template <class T>
CublasResult scale_typed(CublasOperation& operation, const Sum<T>* alpha, const Vector<T>& x) {
  const Factor<Sum<T>> by = operation.factor("alpha", alpha);
  if (operation.failed() || x.n <= 0 || x.increment <= 0) return operation.result();
  if (by.counts()) operation.vector("x", false, x);
  operation.vector("x", true, x);
  return operation.submit([=] {
    const Sum<T> factor = by.value();
    for (std::ptrdiff_t i = 0; i < x.n; ++i) {
      T& at = x.at[i * x.increment];
      at = factor == Sum<T>{} ? T{} : static_cast<T>(dense::product(factor, number(at)));
    }
  });
}

template <class T>
CublasResult dot_typed(CublasOperation& operation, bool conjugated, const Vector<const T>& x, const Vector<const T>& y,
                       T* result) {
  if (!operation.failed() && x.n > 0) {
    operation.vector("x", false, x);
    operation.vector("y", false, y);
  }
  return operation.submit_result(result, [=] {
    Sum<T> sum{};
    for (std::ptrdiff_t i = 0; i < x.n; ++i) {
      const Sum<T> a = number(x.first()[i * x.increment]);
      sum += dense::product(conjugated ? dense::conjugate(a) : a, number(y.first()[i * y.increment]));
    }
    return static_cast<T>(sum);
  });
}

/// Submits `compute` of the elements as numbers; without elements the result is zero.
template <class R, class T, class Compute>
CublasResult reduce_typed(CublasOperation& operation, const Vector<const T>& x, R* result, Compute compute) {
  const bool empty = x.n <= 0 || x.increment <= 0;
  if (!operation.failed() && !empty) operation.vector("x", false, x);
  return operation.submit_result(result, [=] {
    if (empty) return R{};
    std::vector<Sum<T>> all(static_cast<std::size_t>(x.n));
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = number(x.at[static_cast<std::ptrdiff_t>(i) * x.increment]);
    return static_cast<R>(compute(all));
  });
}

struct EuclideanNorm {
  template <class S>
  LengthOf<S> operator()(const std::vector<S>& all) const {
    return static_cast<LengthOf<S>>(dense::euclidean_norm(all.data(), static_cast<std::ptrdiff_t>(all.size()), 1));
  }
};

struct SumOfSizes {
  template <class S>
  LengthOf<S> operator()(const std::vector<S>& all) const {
    LengthOf<S> sum{};
    for (const S& one : all) sum += dense::size_of_number(one);
    return sum;
  }
};

/// The first element whose size is larger than all others, or smaller; counted from 1.
template <bool kLargest>
struct IndexOfExtreme {
  template <class S>
  std::size_t operator()(const std::vector<S>& all) const {
    std::size_t best = 0;
    for (std::size_t i = 1; i < all.size(); ++i) {
      const auto size = dense::size_of_number(all[i]);
      const auto so_far = dense::size_of_number(all[best]);
      if (kLargest ? size > so_far : size < so_far) best = i;
    }
    return best + 1;
  }
};

template <class Compute>
CublasResult length_of(CublasOperation& operation, std::int64_t n, const void* x, std::int64_t incx, void* result,
                       const VectorTypes& types, Compute compute) {
  return for_type(operation, types, [&](auto of) {
    using T = decltype(of);
    if (!types.are<T, LengthOf<T>, LengthOf<Sum<T>>>()) return types.not_modelled();
    return reduce_typed<LengthOf<T>>(operation, typed<T>(x, n, incx), static_cast<LengthOf<T>*>(result), compute);
  });
}

template <class Int, class Compute>
CublasResult index_of(CublasOperation& operation, Int n, const void* x, Int incx, Int* result, cudaDataType type,
                      Compute compute) {
  return for_type(operation, {type, type, type, type}, [&](auto of) {
    return reduce_typed<Int>(operation, typed<decltype(of)>(x, n, incx), result, compute);
  });
}

template <class T, class C>
CublasResult rotate_typed(CublasOperation& operation, const Vector<T>& x, const Vector<T>& y, const C* cosine,
                          const C* sine) {
  const Factor<C> c = operation.factor("c", cosine);
  const Factor<C> s = operation.factor("s", sine);
  return change_pairs(operation, x, y, true, [=](T& a, T& b) {
    const auto cos = static_cast<Sum<T>>(c.value());
    const auto sin = static_cast<Sum<T>>(s.value());
    const Sum<T> before = number(a);
    const Sum<T> other = number(b);
    a = static_cast<T>(dense::product(cos, before) + dense::product(sin, other));
    b = static_cast<T>(dense::product(cos, other) - dense::product(dense::conjugate(sin), before));
  });
}

/// Of complex vectors the cosine is real; the functions for one type have it so.
template <class T, class S>
CublasResult rotate_complex(CublasOperation& operation, const Vector<T>& x, const Vector<T>& y,
                            const LengthOf<T>* cosine, const S* sine) {
  const Factor<LengthOf<T>> c = operation.factor("c", cosine);
  const Factor<S> s = operation.factor("s", sine);
  return change_pairs(operation, x, y, true, [=](T& a, T& b) {
    const T sin(s.value());
    const T before = a;
    a = c.value() * before + dense::product(sin, b);
    b = c.value() * b - dense::product(dense::conjugate(sin), before);
  });
}

/// Moves elements of any type as they are.
CublasResult move_elements(CublasOperation& operation, std::int64_t n, const void* x, cudaDataType x_type,
                           std::int64_t incx, void* y, cudaDataType y_type, std::int64_t incy, bool swaps) {
  const VectorTypes types{x_type, y_type, x_type, x_type};
  return for_type(operation, types, [&](auto of) {
    using T = decltype(of);
    if (x_type != y_type) return types.not_modelled();
    if (!swaps) {
      return change_pairs(operation, typed<T>(x, n, incx), typed<T>(y, n, incy), false,
                          [](const T& from, T& to) { to = from; });
    }
    return change_pairs(operation, typed<T>(const_cast<void*>(x), n, incx), typed<T>(y, n, incy), true,
                        [](T& a, T& b) { std::swap(a, b); });
  });
}

CublasResult add_scaled(CublasOperation& operation, std::int64_t n, const void* alpha, const void* x, std::int64_t incx,
                        void* y, std::int64_t incy, const VectorTypes& types) {
  return for_type(operation, types, [&](auto of) {
    using T = decltype(of);
    if (!types.are<T, Sum<T>>()) return types.not_modelled();
    const Factor<Sum<T>> by = operation.factor("alpha", static_cast<const Sum<T>*>(alpha));
    if (operation.failed() || !by.counts()) return operation.result();
    return change_pairs(operation, typed<T>(x, n, incx), typed<T>(y, n, incy), true, [=](const T& from, T& to) {
      to = static_cast<T>(number(to) + dense::product(by.value(), number(from)));
    });
  });
}

CublasResult scale(CublasOperation& operation, std::int64_t n, const void* alpha, void* x, std::int64_t incx,
                   const VectorTypes& types) {
  return for_type(operation, types, [&](auto of) {
    using T = decltype(of);
    if (!types.are<T, Sum<T>>()) return types.not_modelled();
    return scale_typed<T>(operation, static_cast<const Sum<T>*>(alpha), typed<T>(x, n, incx));
  });
}

CublasResult dot_of(CublasOperation& operation, bool conjugated, std::int64_t n, const void* x, std::int64_t incx,
                    const void* y, std::int64_t incy, void* result, const VectorTypes& types) {
  return for_type(operation, types, [&](auto of) {
    using T = decltype(of);
    if (!types.are<T, T>()) return types.not_modelled();
    return dot_typed<T>(operation, conjugated, typed<T>(x, n, incx), typed<T>(y, n, incy), static_cast<T*>(result));
  });
}

CublasResult rotate(CublasOperation& operation, std::int64_t n, void* x, std::int64_t incx, void* y, std::int64_t incy,
                    const void* c, const void* s, const VectorTypes& types) {
  return for_type(operation, types, [&](auto of) {
    using T = decltype(of);
    const auto with = [&](auto as) {
      using C = decltype(as);
      return rotate_typed<T, C>(operation, typed<T>(x, n, incx), typed<T>(y, n, incy), static_cast<const C*>(c),
                                static_cast<const C*>(s));
    };
    if (types.are<T, T>()) return with(T{});
    if (types.are<T, LengthOf<T>>()) return with(LengthOf<T>{});
    return types.not_modelled();
  });
}

}  // namespace
}  // namespace warpfiber::abi

using namespace warpfiber::abi;

extern "C" {

#define WARPFIBER_CALL(...) \
  return cublas_operation(__func__, handle, [&](CublasOperation& operation) { return __VA_ARGS__; })

#define WARPFIBER_TYPED_VECTORS(Int, wide)                                                                             \
  cublasStatus_t cublasAxpyEx##wide(cublasHandle_t handle, Int n, const void* alpha, cudaDataType alphaType,           \
                                    const void* x, cudaDataType xType, Int incx, void* y, cudaDataType yType,          \
                                    Int incy, cudaDataType executionType) {                                            \
    WARPFIBER_CALL(add_scaled(operation, n, alpha, x, incx, y, incy, {xType, yType, alphaType, executionType}));       \
  }                                                                                                                    \
  cublasStatus_t cublasScalEx##wide(cublasHandle_t handle, Int n, const void* alpha, cudaDataType alphaType, void* x,  \
                                    cudaDataType xType, Int incx, cudaDataType executionType) {                        \
    WARPFIBER_CALL(scale(operation, n, alpha, x, incx, {xType, xType, alphaType, executionType}));                     \
  }                                                                                                                    \
  cublasStatus_t cublasDotEx##wide(cublasHandle_t handle, Int n, const void* x, cudaDataType xType, Int incx,          \
                                   const void* y, cudaDataType yType, Int incy, void* result, cudaDataType resultType, \
                                   cudaDataType executionType) {                                                       \
    WARPFIBER_CALL(dot_of(operation, false, n, x, incx, y, incy, result, {xType, yType, resultType, executionType}));  \
  }                                                                                                                    \
  cublasStatus_t cublasDotcEx##wide(cublasHandle_t handle, Int n, const void* x, cudaDataType xType, Int incx,         \
                                    const void* y, cudaDataType yType, Int incy, void* result,                         \
                                    cudaDataType resultType, cudaDataType executionType) {                             \
    WARPFIBER_CALL(dot_of(operation, true, n, x, incx, y, incy, result, {xType, yType, resultType, executionType}));   \
  }                                                                                                                    \
  cublasStatus_t cublasNrm2Ex##wide(cublasHandle_t handle, Int n, const void* x, cudaDataType xType, Int incx,         \
                                    void* result, cudaDataType resultType, cudaDataType executionType) {               \
    WARPFIBER_CALL(                                                                                                    \
        length_of(operation, n, x, incx, result, {xType, xType, resultType, executionType}, EuclideanNorm{}));         \
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
    WARPFIBER_CALL(rotate(operation, n, x, incx, y, incy, c, s, {xType, yType, csType, executionType}));               \
  }
WARPFIBER_TYPED_VECTORS(int, )
WARPFIBER_TYPED_VECTORS(int64_t, _64)

#define WARPFIBER_COMPLEX_ROTATION(function, T, S, R, Int, wide)                                                  \
  cublasStatus_t cublas##function##wide(cublasHandle_t handle, Int n, T* x, Int incx, T* y, Int incy, const R* c, \
                                        const S* s) {                                                             \
    WARPFIBER_CALL(rotate_complex(operation, any_vector(x, n, incx), any_vector(y, n, incy), c, numbers(s)));     \
  }
WARPFIBER_CUBLAS_BOTH(WARPFIBER_COMPLEX_ROTATION, Crot, float2, float2, float)
WARPFIBER_CUBLAS_BOTH(WARPFIBER_COMPLEX_ROTATION, Zrot, double2, double2, double)
WARPFIBER_CUBLAS_BOTH(WARPFIBER_COMPLEX_ROTATION, Csrot, float2, float, float)
WARPFIBER_CUBLAS_BOTH(WARPFIBER_COMPLEX_ROTATION, Zdrot, double2, double, double)

}  // extern "C"
