// SPDX-License-Identifier: Apache-2.0
//
// libcu++'s arithmetic of integers. Source: CCCL, "libcu++ extensions, mathematical functions".
#pragma once

#include <bit>
#include <type_traits>
#include <utility>

namespace cuda {

namespace detail {

template <class T>
constexpr auto number_of(T value) {
  if constexpr (std::is_enum_v<T>) {
    return static_cast<std::underlying_type_t<T>>(value);
  } else {
    static_assert(std::is_integral_v<T>, "an integer or an enumeration");
    return value;
  }
}

template <class T, class Other>
using Common = std::common_type_t<decltype(number_of(T())), decltype(number_of(Other()))>;

}  // namespace detail

/// The smallest integer that is not less than a / b. a is not negative and b is positive, here and below.
template <class T, class Other>
constexpr auto ceil_div(T a, Other b) noexcept -> detail::Common<T, Other> {
  using Result = detail::Common<T, Other>;
  const auto dividend = static_cast<std::make_unsigned_t<Result>>(detail::number_of(a));
  const auto divisor = static_cast<std::make_unsigned_t<Result>>(detail::number_of(b));
  return static_cast<Result>(dividend / divisor + (dividend % divisor != 0 ? 1 : 0));
}

/// The smallest multiple of b that is not less than a.
template <class T, class Other>
constexpr auto round_up(T a, Other b) noexcept -> detail::Common<T, Other> {
  using Result = detail::Common<T, Other>;
  return static_cast<Result>(::cuda::ceil_div(a, b) * static_cast<Result>(detail::number_of(b)));
}

/// The largest multiple of b that is not greater than a.
template <class T, class Other>
constexpr auto round_down(T a, Other b) noexcept -> detail::Common<T, Other> {
  using Result = detail::Common<T, Other>;
  const auto multiple = static_cast<Result>(detail::number_of(b));
  return static_cast<Result>(static_cast<Result>(detail::number_of(a)) / multiple * multiple);
}

/// The logarithms of a positive integer, rounded down.
template <class T>
constexpr int ilog2(T value) noexcept {
  return std::bit_width(static_cast<std::make_unsigned_t<T>>(value)) - 1;
}
template <class T>
constexpr int ilog10(T value) noexcept {
  int logarithm = 0;
  for (; value >= 10; value /= 10) ++logarithm;
  return logarithm;
}

/// A divisor of many quotients, which a device makes products of. Here each is a division. `divisor` is positive, and
/// no dividend is negative.
template <class T, bool kIsNeverOne = false>
class fast_mod_div {
  static_assert(std::is_integral_v<T> && sizeof(T) <= 8, "an integer of at most 64 bits");

 public:
  fast_mod_div() = delete;
  constexpr explicit fast_mod_div(T divisor) noexcept : divisor_(divisor) {}

  constexpr operator T() const noexcept { return divisor_; }
  template <class Dividend>
  friend constexpr std::common_type_t<T, Dividend> operator/(Dividend dividend, fast_mod_div divisor) noexcept {
    using Result = std::common_type_t<T, Dividend>;
    return static_cast<Result>(dividend) / static_cast<Result>(divisor.divisor_);
  }
  template <class Dividend>
  friend constexpr std::common_type_t<T, Dividend> operator%(Dividend dividend, fast_mod_div divisor) noexcept {
    using Result = std::common_type_t<T, Dividend>;
    return static_cast<Result>(dividend) % static_cast<Result>(divisor.divisor_);
  }

 private:
  T divisor_;
};

/// The quotient and what is left.
template <class T, class Divisor>
constexpr std::pair<T, Divisor> div(T dividend, fast_mod_div<Divisor> divisor) noexcept {
  return {static_cast<T>(dividend / divisor), static_cast<Divisor>(dividend % divisor)};
}

}  // namespace cuda
