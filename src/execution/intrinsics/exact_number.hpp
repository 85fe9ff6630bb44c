// SPDX-License-Identifier: Apache-2.0
//
// Finite numbers as sign, integer significand and binary exponent, the exact arithmetic on them that directed rounding
// needs, and the way back to float or double. Written in integers, so that no result depends on the thread's rounding
// mode, on fused multiply-adds or on fast-math flags.
// Invariant: a significand too long for 128 bits keeps "something was cut off" in its lowest bit ("sticky"). That never
// changes a directed result, as at least 62 significant bits remain and 53 are kept. Used by abi/rounding.cpp only.
#pragma once

#include <bit>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace warpfiber::abi {

__extension__ using UInt128 = unsigned __int128;

/// significand * 2^exponent, negated where `negative`.
struct ExactNumber {
  bool negative = false;
  UInt128 significand = 0;
  int exponent = 0;
};

enum class Direction { kZero, kUp, kDown };

constexpr bool rounds_away(Direction direction, bool negative) {
  return direction == (negative ? Direction::kDown : Direction::kUp);
}

constexpr int bit_length(UInt128 x) {
  const auto high = static_cast<std::uint64_t>(x >> 64);
  return high != 0 ? 128 - std::countl_zero(high) : 64 - std::countl_zero(static_cast<std::uint64_t>(x));
}

/// x shifted right by `count`; the lowest bit remembers what fell out.
constexpr UInt128 shift_right_sticky(UInt128 x, int count) {
  if (count == 0) return x;
  if (count >= 128) return x != 0 ? 1 : 0;
  return (x >> count) | ((x << (128 - count)) != 0 ? 1 : 0);
}

/// The same number with a significand of exactly `length` bits, sticky where it was longer; not for zero.
constexpr ExactNumber normalised(ExactNumber x, int length) {
  const int shift = length - bit_length(x.significand);
  x.significand = shift >= 0 ? x.significand << shift : shift_right_sticky(x.significand, -shift);
  x.exponent -= shift;
  return x;
}

/// A finite double, exactly.
constexpr ExactNumber exact(double x) {
  const auto bits = std::bit_cast<std::uint64_t>(x);
  const std::uint64_t fraction = bits & ((std::uint64_t{1} << 52) - 1);
  const int biased = static_cast<int>((bits >> 52) & 0x7ff);
  const bool negative = (bits >> 63) != 0;
  if (biased == 0) return {negative, fraction, -1074};
  return {negative, fraction | std::uint64_t{1} << 52, biased - 1075};
}

constexpr ExactNumber product(const ExactNumber& a, const ExactNumber& b) {
  return {a.negative != b.negative, a.significand * b.significand, a.exponent + b.exponent};
}

/// a + b, with significand 0 where they cancel. Neither may be zero.
constexpr ExactNumber sum(ExactNumber a, ExactNumber b) {
  constexpr int kLength = 126;  // leaves the sum of two room for its carry
  a = normalised(a, kLength);
  b = normalised(b, kLength);
  if (a.exponent < b.exponent) {
    const ExactNumber larger = b;
    b = a;
    a = larger;
  }
  b.significand = shift_right_sticky(b.significand, a.exponent - b.exponent);
  if (a.negative == b.negative) return {a.negative, a.significand + b.significand, a.exponent};
  if (a.significand >= b.significand) return {a.negative, a.significand - b.significand, a.exponent};
  return {b.negative, b.significand - a.significand, a.exponent};
}

/// a / b; b may not be zero.
constexpr ExactNumber quotient(ExactNumber a, ExactNumber b) {
  a = normalised(a, 127);
  b = normalised(b, 64);
  const UInt128 whole = a.significand / b.significand;
  const bool exactly = whole * b.significand == a.significand;
  return {a.negative != b.negative, whole | (exactly ? 0 : 1), a.exponent - b.exponent};
}

/// The largest integer whose square is not above x.
constexpr std::uint64_t integer_square_root(UInt128 x) {
  std::uint64_t root = 0;
  for (int bit = (bit_length(x) - 1) / 2; bit >= 0; --bit) {
    const std::uint64_t candidate = root | std::uint64_t{1} << bit;
    if (static_cast<UInt128>(candidate) * candidate <= x) root = candidate;
  }
  return root;
}

/// The square root of a positive number.
constexpr ExactNumber square_root(ExactNumber x) {
  x = normalised(x, 126);
  if (x.exponent % 2 != 0) {
    x.significand <<= 1;
    --x.exponent;
  }
  const std::uint64_t root = integer_square_root(x.significand);
  const bool exactly = static_cast<UInt128>(root) * root == x.significand;
  return {false, root | (exactly ? 0U : 1U), x.exponent / 2};
}

template <class Float>
using BitsOf = std::conditional_t<sizeof(Float) == 4, std::uint32_t, std::uint64_t>;

template <class Float>
constexpr Float from_magnitude(bool negative, BitsOf<Float> magnitude) {
  return std::bit_cast<Float>(magnitude | static_cast<BitsOf<Float>>(negative) << (sizeof(Float) * 8 - 1));
}

template <class Float>
constexpr Float overflowed(bool negative, bool away) {
  constexpr auto kInfinity = std::bit_cast<BitsOf<Float>>(std::numeric_limits<Float>::infinity());
  return from_magnitude<Float>(negative, away ? kInfinity : kInfinity - 1);
}

/// x as a Float, rounded in one direction; what is too large becomes infinity or the largest number, as that says.
template <class Float>
constexpr Float round_to(const ExactNumber& x, Direction direction) {
  using Limits = std::numeric_limits<Float>;
  constexpr int kLeastExponent = Limits::min_exponent - Limits::digits;  // of the last bit of a subnormal number
  const bool away = rounds_away(direction, x.negative);
  const int above = x.exponent + bit_length(x.significand) - Limits::digits;
  const int last = above > kLeastExponent ? above : kLeastExponent;
  if (last > Limits::max_exponent - Limits::digits) return overflowed<Float>(x.negative, away);
  const int shift = last - x.exponent;
  const UInt128 kept = shift <= 0 ? x.significand << -shift : shift >= 128 ? 0 : x.significand >> shift;
  const bool cut = shift >= 128 || (shift > 0 && (kept << shift) != x.significand);
  // A carry out of the significand adds one to the exponent field and may so arrive at infinity, as it should.
  const auto biased = static_cast<BitsOf<Float>>(last - kLeastExponent) << (Limits::digits - 1);
  return from_magnitude<Float>(x.negative, biased + static_cast<BitsOf<Float>>(kept) + (cut && away ? 1 : 0));
}

}  // namespace warpfiber::abi
