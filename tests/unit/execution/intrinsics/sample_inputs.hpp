// SPDX-License-Identifier: Apache-2.0
//
// Inputs for the tests of the intrinsics: numbers where formats and instructions have their corners, then pseudo-random
// bit patterns, and a comparison of two functions over all of them that reports the first difference. Every run uses
// the same inputs.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <sstream>
#include <string>
#include <type_traits>
#include <vector>

namespace warpfiber::test {

template <class T>
using BitsOf = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;

/// Corners of an integer type: the ends, zero, powers of two and their neighbours.
template <class T>
std::vector<T> integer_corners() {
  using Unsigned = std::make_unsigned_t<T>;
  std::vector<T> values{0};
  for (int bit = 0; bit < std::numeric_limits<Unsigned>::digits; ++bit) {
    const Unsigned power = static_cast<Unsigned>(Unsigned{1} << bit);
    for (const Unsigned near : {static_cast<Unsigned>(power - 1), power, static_cast<Unsigned>(power + 1)}) {
      values.push_back(static_cast<T>(near));
      values.push_back(static_cast<T>(Unsigned{0} - near));
    }
  }
  return values;
}

/// Corners of a floating-point type: zeros, subnormal and large numbers, halves around every power of two, bounds of
/// the integer types with their neighbours, infinities and a NaN; all with both signs.
template <class T>
std::vector<T> floating_corners() {
  using Limits = std::numeric_limits<T>;
  std::vector<T> values{T{0},
                        Limits::denorm_min(),
                        Limits::min(),
                        std::nextafter(Limits::min(), T{0}),
                        Limits::max(),
                        Limits::infinity(),
                        Limits::quiet_NaN(),
                        Limits::epsilon(),
                        Limits::denorm_min() * 3,
                        T{1} / 3,
                        T{10} / 3};
  for (const int power : {-140, -70, -31, -2, -1, 0, 1, 2, 10, 22, 23, 24, 30, 31, 32, 51, 52, 53, 62, 63, 64, 100}) {
    const T at = std::ldexp(T{1}, power);
    for (const T value : {at, std::nextafter(at, T{0}), std::nextafter(at, Limits::infinity()), at * T{1.5},
                          at - T{0.5}, at + T{0.5}}) {
      values.push_back(value);
    }
  }
  const std::size_t positive = values.size();
  for (std::size_t i = 0; i < positive; ++i) values.push_back(-values[i]);
  return values;
}

/// `count` values of any bits whatever; floating-point ones are half of them near 1, so that sums and products meet.
template <class T>
std::vector<T> random_bits(std::size_t count) {
  std::mt19937_64 generator(20240229);
  std::vector<T> values;
  for (std::size_t i = 0; i < count; ++i) {
    auto bits = static_cast<BitsOf<T>>(generator());
    if constexpr (std::is_same_v<T, float>) {
      if (i % 2 != 0) bits = (bits & 0x87ffffffU) | 0x38000000U;
    } else if constexpr (std::is_same_v<T, double>) {
      if (i % 2 != 0) bits = (bits & 0x807fffffffffffffU) | 0x3f00000000000000U;
    }
    if constexpr (std::is_floating_point_v<T>) {
      values.push_back(std::bit_cast<T>(bits));
    } else {
      values.push_back(static_cast<T>(bits));
    }
  }
  return values;
}

template <class T>
std::vector<T> corners_and(std::size_t random_count) {
  std::vector<T> values;
  if constexpr (std::is_floating_point_v<T>) {
    values = floating_corners<T>();
  } else {
    values = integer_corners<T>();
  }
  const std::vector<T> more = random_bits<T>(random_count);
  values.insert(values.end(), more.begin(), more.end());
  return values;
}

/// The same number, or NaN both; zeros of different sign differ.
template <class T>
bool identical(T a, T b) {
  if constexpr (std::is_floating_point_v<T>) {
    if (a != a || b != b) return a != a && b != b;
    return std::bit_cast<BitsOf<T>>(a) == std::bit_cast<BitsOf<T>>(b);
  } else {
    return a == b;
  }
}

template <class Result, class... Arguments>
std::string difference(Result actual, Result expected, Arguments... arguments) {
  std::ostringstream text;
  text << std::hexfloat;
  ((text << arguments << ' '), ...);
  text << "-> " << actual << " instead of " << expected;
  return text.str();
}

/// Where actual and expected differ first, in words; empty where they never do.
template <class A, class Actual, class Expected>
std::string first_difference(const std::vector<A>& inputs, Actual actual, Expected expected) {
  for (const A a : inputs) {
    const auto got = actual(a);
    const decltype(got) wanted = expected(a);
    if (!identical(got, wanted)) return difference(got, wanted, a);
  }
  return {};
}

/// The same for two arguments, over all pairs.
template <class A, class B, class Actual, class Expected>
std::string first_difference(const std::vector<A>& lefts, const std::vector<B>& rights, Actual actual,
                             Expected expected) {
  for (const A a : lefts) {
    for (const B b : rights) {
      const auto got = actual(a, b);
      const decltype(got) wanted = expected(a, b);
      if (!identical(got, wanted)) return difference(got, wanted, a, b);
    }
  }
  return {};
}

}  // namespace warpfiber::test
