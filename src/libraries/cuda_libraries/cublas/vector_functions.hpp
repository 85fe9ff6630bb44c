// SPDX-License-Identifier: Apache-2.0
// Level 1 of cuBLAS for any type of elements. Sums are added in Sum<T>, in the order of the elements.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "cuda_libraries/cublas/vector_types.hpp"
#include "dense/norms.hpp"

namespace warpfiber::cuda_libraries {

template <class T>
Sum<T> number(const T& element) {
  return static_cast<Sum<T>>(element);
}

/// A real factor multiplies the parts of a complex number.
template <class F, class N>
N times(F factor, N value) {
  if constexpr (dense::IsComplex<F>::value == dense::IsComplex<N>::value) return dense::product(N(factor), value);
  return factor * value;
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
    X* const from = x.first();
    Y* const to = y.first();
    for (std::ptrdiff_t i = 0; i < x.n; ++i) change(from[i * x.increment], to[i * y.increment]);
  });
}

template <class T>
CublasResult copy_elements(CublasOperation& operation, const Vector<const T>& x, const Vector<T>& y) {
  return change_pairs(operation, x, y, false, [](const T& from, T& to) { to = from; });
}

template <class T>
CublasResult swap_elements(CublasOperation& operation, const Vector<T>& x, const Vector<T>& y) {
  return change_pairs(operation, x, y, true, [](T& a, T& b) { std::swap(a, b); });
}

template <class T>
CublasResult add_scaled(CublasOperation& operation, const Sum<T>* alpha, const Vector<const T>& x, const Vector<T>& y) {
  const Factor<Sum<T>> by = operation.factor("alpha", alpha);
  if (operation.failed() || !by.counts()) return operation.result();
  return change_pairs(operation, x, y, true, [=](const T& from, T& to) {
    to = static_cast<T>(number(to) + dense::product(by.value(), number(from)));
  });
}

template <class S, class T>
CublasResult scale(CublasOperation& operation, const S* alpha, const Vector<T>& x) {
  const Factor<S> by = operation.factor("alpha", alpha);
  if (operation.failed() || x.n <= 0 || x.increment <= 0) return operation.result();
  if (by.counts()) operation.vector("x", false, x);
  operation.vector("x", true, x);
  return operation.submit([=] {
    const S factor = by.value();
    for (std::ptrdiff_t i = 0; i < x.n; ++i) {
      T& at = x.at[i * x.increment];
      at = factor == S{} ? T{} : static_cast<T>(dense::product(Sum<T>(factor), number(at)));
    }
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
    Sum<T> sum{};
    for (std::ptrdiff_t i = 0; i < x.n; ++i) {
      const Sum<T> a = number(x.first()[i * x.increment]);
      sum += dense::product(conjugated ? dense::conjugate(a) : a, number(y.first()[i * y.increment]));
    }
    return static_cast<T>(sum);
  });
}

/// Submits `compute` of a vector, which returns a number; without elements that is zero.
template <class T, class R, class Compute>
CublasResult reduce(CublasOperation& operation, const Vector<const T>& x, R* result, Compute compute) {
  const bool empty = x.n <= 0 || x.increment <= 0;
  if (result == nullptr) operation.fail(CUBLAS_STATUS_INVALID_VALUE, ReasonKind::result_pointer_null);
  if (!operation.failed() && !empty) operation.vector("x", false, x);
  return operation.submit_result(result, [=] { return empty ? R{} : static_cast<R>(compute(x)); });
}

struct EuclideanNorm {
  template <class T>
  double operator()(const Vector<const T>& x) const {
    if constexpr (std::is_same_v<T, Sum<T>>) {
      return dense::euclidean_norm(x.at, x.n, x.increment);
    } else {
      std::vector<Sum<T>> all;
      for (std::ptrdiff_t i = 0; i < x.n; ++i) all.push_back(number(x.at[i * x.increment]));
      return dense::euclidean_norm(all.data(), x.n, 1);
    }
  }
};

struct SumOfSizes {
  template <class T>
  SizeOfNumber<T> operator()(const Vector<const T>& x) const {
    SizeOfNumber<T> sum{};
    for (std::ptrdiff_t i = 0; i < x.n; ++i) sum += dense::size_of_number(number(x.at[i * x.increment]));
    return sum;
  }
};

/// The first element whose size is larger than all others, or smaller; counted from 1.
template <bool kLargest>
struct IndexOfExtreme {
  template <class T>
  std::ptrdiff_t operator()(const Vector<const T>& x) const {
    std::ptrdiff_t best = 0;
    for (std::ptrdiff_t i = 1; i < x.n; ++i) {
      const auto size = dense::size_of_number(number(x.at[i * x.increment]));
      const auto so_far = dense::size_of_number(number(x.at[best * x.increment]));
      if (kLargest ? size > so_far : size < so_far) best = i;
    }
    return best + 1;
  }
};

template <class T, class C, class S>
CublasResult rotate(CublasOperation& operation, const Vector<T>& x, const Vector<T>& y, const C* cosine,
                    const S* sine) {
  const Factor<C> c = operation.factor("c", cosine);
  const Factor<S> s = operation.factor("s", sine);
  return change_pairs(operation, x, y, true, [=](T& a, T& b) {
    const auto cos = number(c.value());
    const auto sin = number(s.value());
    const Sum<T> before = number(a);
    const Sum<T> other = number(b);
    a = static_cast<T>(times(cos, before) + times(sin, other));
    b = static_cast<T>(times(cos, other) - times(dense::conjugate(sin), before));
  });
}

}  // namespace warpfiber::cuda_libraries
