// SPDX-License-Identifier: Apache-2.0
//
// Floating-point formats of 8 bits and how numbers get into and out of them, for fp8.hpp and PTX's conversions. Every
// conversion rounds once, to nearest even.
#pragma once

#include <warpfiber/intrinsics/narrow_float.hpp>

namespace warpfiber::narrow {

namespace types {

/// The eight bits that begin a binary16.
struct E5M2 {
  static constexpr int kFractionBits = 2;
  static constexpr int kMaxExponent = 15;
  static constexpr Bits kLargest = 0x7b;
  static constexpr Bits kBeyond = 0x7c;  // infinity
  static constexpr unsigned kPayload = 1;
};

/// Seven is taken from the exponent; of the largest exponent, all but the last number are finite.
struct E4M3 {
  static constexpr int kFractionBits = 3;
  static constexpr int kMaxExponent = 7;
  static constexpr Bits kLargest = 0x7e;
  static constexpr Bits kBeyond = 0x7f;  // NaN
  static constexpr unsigned kPayload = 0;
};

}  // namespace types

using types::E4M3;
using types::E5M2;

/// x in the given format. What is too large becomes the largest number (`saturates`), or e5m2's infinity and e4m3's
/// NaN. A NaN keeps its sign and what e5m2 has room for of its digits, as in CUDA's own conversion.
template <class Format>
constexpr unsigned char to_byte_of(double x, bool saturates) noexcept {
  constexpr unsigned long long kInfinite = 0x7ffULL << 52;
  constexpr unsigned long long kTooLarge = (1023ULL + 16) << 52;  // 65,536
  const unsigned long long bits = __builtin_bit_cast(unsigned long long, x);
  const bool negative = bits >> 63 != 0;
  const unsigned long long size = bits & ~(1ULL << 63);
  const unsigned sign = negative ? 0x80 : 0;
  if (size > kInfinite)
    return static_cast<unsigned char>(sign | (0x7f - Format::kPayload) | (size >> 50 & Format::kPayload));
  const Bits rounded = size >= kTooLarge ? Format::kBeyond : rounded_size<Format, Toward::kNearest>(size, negative);
  const Bits beyond = saturates ? Format::kLargest : Format::kBeyond;
  return static_cast<unsigned char>(sign | (rounded > Format::kLargest ? beyond : rounded));
}

/// The same, but a NaN is 0x7f, as the hardware's is.
template <class Format>
constexpr unsigned char to_byte_of(float x, bool saturates) noexcept {
  return x != x ? static_cast<unsigned char>(0x7f) : to_byte_of<Format>(static_cast<double>(x), saturates);
}

/// The number itself; a NaN is 0x7fffffff.
template <class Format>
constexpr float from_byte(unsigned char byte) noexcept;

template <>
constexpr float from_byte<E5M2>(unsigned char byte) noexcept {
  return widened<Half>(static_cast<Bits>(byte << 8));
}

template <>
constexpr float from_byte<E4M3>(unsigned char byte) noexcept {
  const unsigned size = byte & 0x7fU;
  const unsigned sign = static_cast<unsigned>(byte & 0x80U) << 24;
  const unsigned subnormal = __builtin_bit_cast(unsigned, static_cast<float>(static_cast<int>(size)) * 0x1p-9F);
  const unsigned number = sign | (size < 8 ? subnormal : (size << 20) + (120U << 23));
  return __builtin_bit_cast(float, size == E4M3::kBeyond ? 0x7fffffffU : number);
}

}  // namespace warpfiber::narrow
