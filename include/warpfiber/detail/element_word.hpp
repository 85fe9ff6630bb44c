// SPDX-License-Identifier: Apache-2.0
// What a comparison of buffers calls their elements (docs/crosscheck.md). No names of CUDA's runtime are needed here.
#pragma once

#include <cstddef>
#include <type_traits>

struct __half;
struct __nv_bfloat16;

namespace warpfiber::detail {

/// For what there is no rule: bytes count.
inline constexpr const char* kUnknownElements = "-";

// Indexed by half the size: 1, 2, 4 and 8 bytes.
inline constexpr const char* kSignedWords[] = {"int8", "int16", "int32", kUnknownElements, "int64"};
inline constexpr const char* kUnsignedWords[] = {"uint8", "uint16", "uint32", kUnknownElements, "uint64"};

template <class T>
constexpr const char* element_word_of_integer() {
  if constexpr (sizeof(T) > 8)
    return kUnknownElements;
  else
    return std::is_signed_v<T> ? kSignedWords[sizeof(T) / 2] : kUnsignedWords[sizeof(T) / 2];
}

template <class T, class Other>
concept SameAs = std::is_same_v<std::remove_cvref_t<T>, Other>;

template <class T>
using Component = std::remove_cvref_t<decltype(static_cast<T*>(nullptr)->x)>;

/// How many of x, y, z and w there are, from the first and of its type.
template <class T>
constexpr std::size_t components() {
  if constexpr (!requires(T value) {
                  { value.y } -> SameAs<Component<T>>;
                })
    return 1;
  else if constexpr (!requires(T value) {
                       { value.z } -> SameAs<Component<T>>;
                     })
    return 2;
  else if constexpr (!requires(T value) {
                       { value.w } -> SameAs<Component<T>>;
                     })
    return 3;
  else
    return 4;
}

template <class T>
constexpr const char* element_word();

/// Classes that hold elements of one type and nothing else: vectors of CUDA's make, complex numbers, arrays.
template <class T>
constexpr const char* element_word_of_class() {
  if constexpr (requires(T value) { sizeof(T), value.x; }) {
    if constexpr (sizeof(T) == components<T>() * sizeof(Component<T>)) return element_word<Component<T>>();
  } else if constexpr (requires { sizeof(T), sizeof(typename T::value_type); }) {
    using Value = typename T::value_type;
    if constexpr (std::is_trivially_copyable_v<T> && sizeof(T) % sizeof(Value) == 0) return element_word<Value>();
  }
  return kUnknownElements;
}

/// The word for a T, or for what it has several of and nothing else.
template <class T>
constexpr const char* element_word() {
  using Plain = std::remove_cv_t<std::remove_all_extents_t<T>>;
  if constexpr (std::is_same_v<Plain, float>)
    return "float";
  else if constexpr (std::is_same_v<Plain, double>)
    return "double";
  else if constexpr (std::is_same_v<Plain, __half>)
    return "half";
  else if constexpr (std::is_same_v<Plain, __nv_bfloat16>)
    return "bfloat16";
  else if constexpr (std::is_enum_v<Plain>)
    return element_word<std::underlying_type_t<Plain>>();
  else if constexpr (std::is_integral_v<Plain>)
    return element_word_of_integer<Plain>();
  else if constexpr (std::is_class_v<Plain>)
    return element_word_of_class<Plain>();
  else
    return kUnknownElements;
}

}  // namespace warpfiber::detail
