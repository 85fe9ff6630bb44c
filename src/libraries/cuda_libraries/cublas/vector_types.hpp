// SPDX-License-Identifier: Apache-2.0
// Types of vectors that are arguments of a function, and what numbers of each type are added in.
#pragma once

#include <warpfiber/bfloat16.hpp>
#include <warpfiber/half.hpp>

#include <complex>
#include <type_traits>

#include "cuda_libraries/arguments.hpp"
#include "cuda_libraries/cublas/operation.hpp"

namespace warpfiber::cuda_libraries {

/// The type that sums of elements have.
template <class T>
using Sum = std::conditional_t<std::is_same_v<T, __half> || std::is_same_v<T, __nv_bfloat16>, float, T>;

/// The type of a length of elements.
template <class T>
using SizeOfNumber = decltype(dense::size_of_number(Sum<T>{}));
template <class T>
using LengthOf = std::conditional_t<dense::IsComplex<T>::value, SizeOfNumber<T>, T>;

template <class T>
constexpr cudaDataType data_type() {
  if constexpr (std::is_same_v<T, __half>) return CUDA_R_16F;
  if constexpr (std::is_same_v<T, __nv_bfloat16>) return CUDA_R_16BF;
  if constexpr (std::is_same_v<T, float>) return CUDA_R_32F;
  if constexpr (std::is_same_v<T, double>) return CUDA_R_64F;
  if constexpr (std::is_same_v<T, std::complex<float>>) return CUDA_C_32F;
  if constexpr (std::is_same_v<T, std::complex<double>>) return CUDA_C_64F;
}

/// The type arguments of a call, in their order.
struct VectorTypes {
  cudaDataType x, y, other, execution;
  bool looks_for_unknown = false;  // as some of cuBLAS's functions do, before they look for what they support

  CublasResult not_modelled() const {
    const bool known = is_type(x) && is_type(y) && is_type(other) && is_type(execution);
    return {known || !looks_for_unknown ? CUBLAS_STATUS_NOT_SUPPORTED : CUBLAS_STATUS_INVALID_VALUE,
            {ReasonKind::blas_vector_types_not_modelled, static_cast<int>(x), static_cast<int>(y),
             static_cast<int>(other), static_cast<int>(execution)}};
  }
  /// Whether they are what a function of `T` takes, whose other numbers have the type `Other`.
  template <class T, class Other, class Execution = Sum<T>>
  bool are() const {
    return x == data_type<T>() && y == x && other == data_type<Other>() && execution == data_type<Execution>();
  }
};

}  // namespace warpfiber::cuda_libraries
