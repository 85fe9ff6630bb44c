// SPDX-License-Identifier: Apache-2.0
// Functions that numbers of real and of complex types have both.
#pragma once

#include <complex>
#include <type_traits>

namespace warpfiber::numerics {

template <class T>
struct IsComplex : std::false_type {};
template <class T>
struct IsComplex<std::complex<T>> : std::true_type {};

template <class T>
T conjugate(T value) {
  if constexpr (IsComplex<T>::value) return std::conj(value);
  return value;
}

template <class T>
auto real_part(T value) {
  if constexpr (IsComplex<T>::value) {
    return value.real();
  } else {
    return value;
  }
}

/// Without the look at infinities that the language asks of complex products.
template <class T>
T product(T a, T b) {
  if constexpr (IsComplex<T>::value) {
    return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
  } else {
    return a * b;
  }
}

}  // namespace warpfiber::numerics
