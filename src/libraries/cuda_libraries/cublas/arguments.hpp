// SPDX-License-Identifier: Apache-2.0
// Matrices and vectors as functions of cuBLAS are given them.
#pragma once

#include <warpfiber/cuda/cublas/structured.h>

#include "cuda_libraries/cublas/operation.hpp"

namespace warpfiber::cuda_libraries {

/// A matrix in memory.
template <class T>
struct Stored {
  T* at;
  std::int64_t leading;

  dense::MatrixView<T> matrix() const { return {at, 1, leading}; }
};

template <class T>
Stored<Number<T>> stored(T* at, std::int64_t leading) {
  return {numbers(at), leading};
}
template <class T>
Stored<const Number<T>> stored(const T* at, std::int64_t leading) {
  return {numbers(at), leading};
}
/// With a step of 0 too, which is one element for all.
template <class T>
auto any_vector(T* at, std::ptrdiff_t n, std::int64_t increment) {
  return Vector<std::remove_pointer_t<decltype(numbers(at))>>{numbers(at), n, increment};
}
template <class T>
Vector<Number<T>> vector_of(CublasOperation& operation, const char* name, T* at, std::ptrdiff_t n,
                            std::int64_t increment) {
  operation.not_zero(name, increment);
  return {numbers(at), n, increment};
}
template <class T>
Vector<const Number<T>> vector_of(CublasOperation& operation, const char* name, const T* at, std::ptrdiff_t n,
                                  std::int64_t increment) {
  operation.not_zero(name, increment);
  return {numbers(at), n, increment};
}

}  // namespace warpfiber::cuda_libraries
