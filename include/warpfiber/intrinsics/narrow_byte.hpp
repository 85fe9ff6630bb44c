// SPDX-License-Identifier: Apache-2.0
//
// Floating-point formats of 8, 6 and 4 bits and how numbers get into and out of them, for fp8.hpp, fp6.hpp, fp4.hpp and
// PTX's conversions. Every conversion rounds once, to nearest even where nothing else is said.
#pragma once

#include <warpfiber/intrinsics/narrow_float.hpp>

namespace warpfiber::narrow {

namespace types {

/// The eight bits that begin a binary16.
struct E5M2 {
  static constexpr bool kIsFinite = false;
  static constexpr int kFractionBits = 2;
  static constexpr int kMaxExponent = 15;
  static constexpr Bits kLargest = 0x7b;
  static constexpr Bits kBeyond = 0x7c;  // infinity
  static constexpr unsigned kPayload = 1;
};

/// Seven is taken from the exponent; of the largest exponent, all but the last number are finite.
struct E4M3 {
  static constexpr bool kIsFinite = false;
  static constexpr int kFractionBits = 3;
  static constexpr int kMaxExponent = 7;
  static constexpr Bits kLargest = 0x7e;
  static constexpr Bits kBeyond = 0x7f;  // NaN
  static constexpr unsigned kPayload = 0;
};

/// A format of which every code is a finite number (OCP Microscaling Formats Specification). kMaxExponent is what is
/// taken from the exponent, as above; the largest is above it.
template <int kBitsOfExponent, int kBitsOfFraction>
struct FiniteFormat {
  static constexpr bool kIsFinite = true;
  static constexpr int kFractionBits = kBitsOfFraction;
  static constexpr int kMaxExponent = (1 << (kBitsOfExponent - 1)) - 1;
  static constexpr unsigned kSign = 1U << (kBitsOfExponent + kBitsOfFraction);
  static constexpr Bits kLargest = kSign - 1;
};
using E2M1 = FiniteFormat<2, 1>;  // 0, 0.5, 1, 1.5, 2, 3, 4, 6
using E2M3 = FiniteFormat<2, 3>;  // eighths up to 2, then 2.25 to 7.5
using E3M2 = FiniteFormat<3, 2>;  // sixteenths up to 0.5, then 0.625 to 28

/// 2^(bits - 127).
struct E8M0 {
  static constexpr unsigned kNan = 0xff;
  static constexpr unsigned kLargest = 0xfe;
};

}  // namespace types

using types::E2M1;
using types::E2M3;
using types::E3M2;
using types::E4M3;
using types::E5M2;
using types::E8M0;

/// x in a format that is finite. What is too large becomes the largest number with its sign, a NaN the largest one.
template <class Format>
constexpr unsigned char to_code(double x, Toward toward) noexcept {
  if (x != x) return static_cast<unsigned char>(Format::kLargest);
  const unsigned long long bits = __builtin_bit_cast(unsigned long long, x);
  const bool negative = bits >> 63 != 0;
  const unsigned long long size = bits & ~(1ULL << 63);
  const Bits rounded = toward == Toward::kNearest ? rounded_size<Format, Toward::kNearest>(size, negative)
                       : toward == Toward::kDown  ? rounded_size<Format, Toward::kDown>(size, negative)
                       : toward == Toward::kUp    ? rounded_size<Format, Toward::kUp>(size, negative)
                                                  : rounded_size<Format, Toward::kZero>(size, negative);
  return static_cast<unsigned char>((negative ? Format::kSign : 0U) |
                                    (rounded < Format::kLargest ? rounded : Format::kLargest));
}

/// x in the given format. What is too large becomes the largest number (`saturates`), or e5m2's infinity and e4m3's
/// NaN. A NaN keeps its sign and what e5m2 has room for of its digits, as in CUDA's own conversion.
template <class Format>
constexpr unsigned char to_byte_of(double x, bool saturates) noexcept {
  if constexpr (Format::kIsFinite) {
    return to_code<Format>(x, Toward::kNearest);
  } else {
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
}

/// The same, but a NaN of 8 bits is 0x7f, as the hardware's is.
template <class Format>
constexpr unsigned char to_byte_of(float x, bool saturates) noexcept {
  if (!Format::kIsFinite && x != x) return static_cast<unsigned char>(0x7f);
  return to_byte_of<Format>(static_cast<double>(x), saturates);
}

/// The power of two at or below |x|, or at or above it (`up`). What is too small becomes the smallest one; what is too
/// large becomes the largest one when it is rounded down or `saturates`, else NaN. Infinity is the largest one with
/// `saturates`, else NaN.
constexpr unsigned char to_scale(double x, bool saturates, bool up) noexcept {
  constexpr int kBias = 1023 - 127;
  const unsigned long long size = __builtin_bit_cast(unsigned long long, x) & ~(1ULL << 63);
  const unsigned long long fraction = size & ((1ULL << 52) - 1);
  const unsigned beyond = saturates ? E8M0::kLargest : E8M0::kNan;
  if (size >> 52 == 0x7ff) return static_cast<unsigned char>(fraction != 0 ? E8M0::kNan : beyond);
  const int power = static_cast<int>(size >> 52) - kBias;
  const int scale = power < 0 ? 0 : power + (up && fraction != 0 ? 1 : 0);
  if (scale <= static_cast<int>(E8M0::kLargest)) return static_cast<unsigned char>(scale);
  return static_cast<unsigned char>(up ? beyond : E8M0::kLargest);
}

/// The number itself; a NaN is 0x7fffffff. Bits beyond the format's are not looked at.
template <class Format>
constexpr float from_byte(unsigned char byte) noexcept {
  constexpr int kPlace = 23 - Format::kFractionBits;
  constexpr unsigned kLeastNormal = 1U << Format::kFractionBits;
  constexpr unsigned kUnit = 128U - Format::kMaxExponent - Format::kFractionBits;  // exponent of the least number
  const unsigned size = byte & Format::kLargest;
  const unsigned sign = (byte & Format::kSign) != 0 ? 0x80000000U : 0U;
  const float subnormal = static_cast<float>(static_cast<int>(size)) * __builtin_bit_cast(float, kUnit << 23);
  const unsigned normal = (size << kPlace) + ((127U - Format::kMaxExponent) << 23);
  return __builtin_bit_cast(float, sign | (size < kLeastNormal ? __builtin_bit_cast(unsigned, subnormal) : normal));
}

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

/// A NaN is 0x7fff0000.
template <>
constexpr float from_byte<E8M0>(unsigned char byte) noexcept {
  if (byte == E8M0::kNan) return __builtin_bit_cast(float, 0x7fff0000U);
  return __builtin_bit_cast(float, byte == 0 ? 0x400000U : static_cast<unsigned>(byte) << 23);
}

}  // namespace warpfiber::narrow
