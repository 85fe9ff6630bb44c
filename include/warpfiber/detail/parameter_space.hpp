// SPDX-License-Identifier: Apache-2.0
// How many bytes the parameters of a kernel may take. Source: CUDA C++ Programming Guide, "Function Parameters", of
// compute capability 7.0 and later. Used by launches of the native interface; translated kernels say it themselves
// (src/compiler/translate/kernels.cpp).
#pragma once

#include <cstddef>
#include <type_traits>

namespace warpfiber::detail {

/// A kernel that needs more does not compile; the message is that of ptxas.
template <std::size_t kRequired, std::size_t kAllowed = 32764>
struct FormalParameterSpace {
  static_assert(kRequired <= kAllowed, "Formal parameter space overflowed (max 32764 bytes allowed)");
  static constexpr std::size_t bytes = kRequired;
};

template <class T>
using PassedAs = std::conditional_t<std::is_reference_v<T>, void*, std::decay_t<T>>;

/// What parameters of these types take, one behind the other.
template <class... Values>
constexpr std::size_t parameter_bytes() {
  std::size_t bytes = 0;
  ((bytes = (bytes + alignof(Values) - 1) / alignof(Values) * alignof(Values) + sizeof(Values)), ...);
  return bytes;
}

template <class... Parameters>
inline constexpr std::size_t kParameterBytes = FormalParameterSpace<parameter_bytes<PassedAs<Parameters>...>()>::bytes;

}  // namespace warpfiber::detail
