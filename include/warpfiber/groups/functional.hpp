// SPDX-License-Identifier: Apache-2.0
// The operators of cooperative groups' reductions and scans, under CUDA's names. They have no state and may be called
// anywhere. Source: CUDA C++ Programming Guide, "Cooperative Groups", "Data Manipulation", reduce.
#pragma once

#include <functional>
#include <type_traits>

namespace cooperative_groups {
inline namespace __v1 {

namespace details {

/// The type that integers are added and subtracted in, so that they wrap around as on the device.
template <class T, bool kSigned = std::is_integral_v<T>&& std::is_signed_v<T>>
struct Wrapping {
  using type = T;
};
template <class T>
struct Wrapping<T, true> {
  using type = std::make_unsigned_t<T>;
};

}  // namespace details

/// The sum; integers wrap around.
template <class T>
struct plus : std::plus<T> {
  constexpr T operator()(const T& first, const T& second) const {
    using Sum = typename details::Wrapping<T>::type;
    return static_cast<T>(static_cast<Sum>(first) + static_cast<Sum>(second));
  }
};

/// The sum of values of whatever type.
template <>
struct plus<void> {
  template <class T>
  constexpr T operator()(const T& first, const T& second) const {
    return plus<T>()(first, second);
  }
};

/// The smaller of two values by operator<, the first if neither is: not a comparison.
template <class T>
struct less {
  constexpr T operator()(T first, T second) const { return second < first ? second : first; }
};

/// The larger of two values by operator<, the first if neither is: not a comparison.
template <class T>
struct greater {
  constexpr T operator()(T first, T second) const { return first < second ? second : first; }
};

template <class T>
struct bit_and : std::bit_and<T> {};

template <class T>
struct bit_or : std::bit_or<T> {};

template <class T>
struct bit_xor : std::bit_xor<T> {};

}  // namespace __v1
}  // namespace cooperative_groups
