// SPDX-License-Identifier: Apache-2.0
//
// An independent reference for formats of 16 bits: the numbers are tabulated from the format's definition, and a result
// is found by comparing the exact value with numbers of the table and their middles. What is exact is expressed as a
// comparison, so that nothing is rounded on the way. Needs a long double of 64 digits.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include <warpfiber/bfloat16.hpp>

namespace warpfiber::test {

using Exact = long double;

/// What the tests need to know of a format.
struct HalfTraits {
  using T = __half;
  using T2 = __half2;
  static constexpr const char* kName = "half";
  static constexpr int kFraction = 10;
  static constexpr int kBias = 15;
};
struct BfloatTraits {
  using T = __nv_bfloat16;
  using T2 = __nv_bfloat162;
  static constexpr const char* kName = "bfloat16";
  static constexpr int kFraction = 7;
  static constexpr int kBias = 127;
};

template <class Traits>
constexpr unsigned infinity_bits() {
  return (2U * Traits::kBias + 1) << Traits::kFraction;
}

/// The value of a pattern by definition; infinity is one step beyond the largest number, as rounding sees it.
template <class Traits>
Exact value_of(unsigned size) {
  const unsigned fraction = size & ((1U << Traits::kFraction) - 1);
  const int exponent = static_cast<int>(size >> Traits::kFraction);
  if (exponent == 0) return std::ldexp(static_cast<Exact>(fraction), 1 - Traits::kBias - Traits::kFraction);
  const Exact significand = static_cast<Exact>(fraction + (1U << Traits::kFraction));
  return std::ldexp(significand, exponent - Traits::kBias - Traits::kFraction);
}

template <class Traits>
const std::vector<Exact>& numbers() {
  static const std::vector<Exact> all = [] {
    std::vector<Exact> values;
    for (unsigned size = 0; size <= infinity_bits<Traits>(); ++size) values.push_back(value_of<Traits>(size));
    return values;
  }();
  return all;
}

template <class Traits>
Exact number(unsigned bits) {
  const unsigned size = bits & 0x7fff;
  if (size > infinity_bits<Traits>()) return std::numeric_limits<Exact>::quiet_NaN();
  const Exact value =
      size == infinity_bits<Traits>() ? std::numeric_limits<Exact>::infinity() : numbers<Traits>()[size];
  return (bits & 0x8000) != 0 ? -value : value;
}

enum class Mode { kNearest, kZero, kUp, kDown };

/// The bits of the positive number that compare(x) places: it returns the sign of (number - x), exactly.
template <class Traits, class Compare>
unsigned placed(Compare compare, bool negative, Mode mode) {
  const std::vector<Exact>& table = numbers<Traits>();
  unsigned below = 0;
  unsigned above = infinity_bits<Traits>();
  while (above - below > 1) {
    const unsigned middle = (below + above) / 2;
    (compare(table[middle]) >= 0 ? below : above) = middle;
  }
  if (compare(table[below]) == 0) return below;
  if (mode == Mode::kNearest) {
    const int side = compare((table[below] + table[above]) / 2);
    return side > 0 || (side == 0 && (below & 1) != 0) ? above : below;
  }
  const bool away = mode == (negative ? Mode::kDown : Mode::kUp);
  return away ? above : below;
}

template <class T>
int sign_of(T x) {
  return (x > 0) - (x < 0);
}

/// The finite, nonzero number that is compared by `compare`, rounded.
template <class Traits, class Compare>
unsigned rounded(Compare compare, Mode mode = Mode::kNearest) {
  if (compare(Exact{0}) >= 0) return placed<Traits>(compare, false, mode);
  return 0x8000 | placed<Traits>([&](Exact x) { return -compare(-x); }, true, mode);
}

/// A number that long double holds exactly, rounded.
template <class Traits>
unsigned rounded_value(Exact value, Mode mode = Mode::kNearest) {
  if (std::isnan(value)) return 0x7fff;
  const unsigned sign = std::signbit(value) ? 0x8000 : 0;
  if (std::isinf(value)) return sign | infinity_bits<Traits>();
  if (value == 0) return sign;
  if (std::fabs(value) >= value_of<Traits>(infinity_bits<Traits>())) {
    const bool away = mode == Mode::kNearest || mode == (sign != 0 ? Mode::kDown : Mode::kUp);
    return sign | (infinity_bits<Traits>() - (away ? 0 : 1));
  }
  return rounded<Traits>([value](Exact x) { return sign_of(value - x); }, mode);
}

/// a + b, compared without rounding: the sum and what its rounding left over.
template <class Traits>
unsigned rounded_sum(Exact a, Exact b) {
  const Exact sum = a + b;
  if (sum == 0 || !std::isfinite(sum)) return rounded_value<Traits>(sum);
  const Exact summand = sum - a;
  const Exact rest = (a - (sum - summand)) + (b - summand);
  if (std::fabs(sum) > value_of<Traits>(infinity_bits<Traits>())) return rounded_value<Traits>(sum);
  return rounded<Traits>([=](Exact x) { return sum != x ? sign_of(sum - x) : sign_of(rest); });
}

/// a / b: compares a with x b.
template <class Traits>
unsigned rounded_quotient(Exact a, Exact b) {
  const Exact quotient = a / b;
  if (quotient == 0 || !std::isfinite(quotient)) return rounded_value<Traits>(quotient);
  if (std::fabs(quotient) > value_of<Traits>(infinity_bits<Traits>())) return rounded_value<Traits>(quotient);
  return rounded<Traits>([=](Exact x) { return sign_of(b) * sign_of(a - x * b); });
}

/// Patterns where formats have their corners, both signs.
template <class Traits>
std::vector<unsigned> corner_bits() {
  const unsigned one = Traits::kBias << Traits::kFraction;
  const unsigned infinity = infinity_bits<Traits>();
  const unsigned normal = 1U << Traits::kFraction;
  std::vector<unsigned> bits{0,
                             1,
                             2,
                             3,
                             normal - 1,
                             normal,
                             normal + 1,
                             one - 1,
                             one,
                             one + 1,
                             one + normal / 2,
                             one + normal,
                             infinity - 1,
                             infinity,
                             infinity + 1,
                             0x7fffU,
                             0x7e00U};
  const std::size_t positive = bits.size();
  for (std::size_t i = 0; i < positive; ++i) bits.push_back(bits[i] | 0x8000);
  return bits;
}

/// Pairs of patterns: all pairs of corners, then random ones, half of them of similar size.
template <class Traits, class Visit>
void for_pairs(int count, Visit visit) {
  for (const unsigned a : corner_bits<Traits>()) {
    for (const unsigned b : corner_bits<Traits>()) visit(a, b);
  }
  std::mt19937 generator(20240301);
  for (int i = 0; i < count; ++i) {
    const unsigned bits = static_cast<unsigned>(generator());
    const unsigned a = bits & 0xffff;
    const unsigned b = i % 2 == 0 ? bits >> 16 : (a ^ (bits >> 16 & 0x83ff)) & 0xffff;
    visit(a, b);
  }
}

template <class Traits>
typename Traits::T made(unsigned bits) {
  return narrow::from_bits<typename Traits::T>(static_cast<unsigned short>(bits));
}

}  // namespace warpfiber::test
