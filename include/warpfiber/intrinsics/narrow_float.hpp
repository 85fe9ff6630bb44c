// SPDX-License-Identifier: Apache-2.0
//
// Floating-point formats of 16 bits and how numbers get into and out of them, for half.hpp and bfloat16.hpp. Everything
// is done in integers but for two multiplications and one addition that are exact or rounded once, because no host
// compiler is sure to have such types; where the processor has the instruction, that is used. Invariants: every
// conversion rounds once; every NaN that results is 0x7fff, as the hardware's is.
#pragma once

#include <warpfiber/detail/host_instructions.hpp>
#include <warpfiber/intrinsics/cast.hpp>

namespace warpfiber::narrow {

using intrinsics::Toward;
using Bits = unsigned short;

// A namespace that holds types only, so that argument-dependent lookup brings none of our functions into programs.
namespace types {

/// IEEE 754 binary16.
struct Half {
  static constexpr int kFractionBits = 10;
  static constexpr int kMaxExponent = 15;
  static constexpr Bits kInfinity = 0x7c00;
  static constexpr Bits kOne = 0x3c00;
};

/// The upper half of a binary32.
struct Bfloat {
  static constexpr int kFractionBits = 7;
  static constexpr int kMaxExponent = 127;
  static constexpr Bits kInfinity = 0x7f80;
  static constexpr Bits kOne = 0x3f80;
};

}  // namespace types

using types::Bfloat;
using types::Half;

inline constexpr Bits kNan = 0x7fff;
inline constexpr Bits kSign = 0x8000;

template <class Format>
constexpr bool is_nan(Bits bits) noexcept {
  return (bits & 0x7fff) > Format::kInfinity;
}

/// Whether what `kToward` cuts off a number of that sign takes it away from zero.
template <Toward kToward>
constexpr bool rounds_away(bool negative) noexcept {
  return negative ? kToward == Toward::kDown : kToward == Toward::kUp;
}

template <class Format, Toward kToward>
constexpr Bits overflowed(bool negative) noexcept {
  const bool infinite = kToward == Toward::kNearest || rounds_away<kToward>(negative);
  return static_cast<Bits>(infinite ? Format::kInfinity : Format::kInfinity - 1);
}

/// The size of x, whose bits without the sign are `size` and neither infinite nor too large, as a number of Format.
template <class Format, Toward kToward>
constexpr Bits rounded_size(unsigned long long size, bool negative) noexcept {
  constexpr int kMinExponent = 1 - Format::kMaxExponent;
  constexpr unsigned long long kHidden = 1ULL << 52;
  const int exponent = static_cast<int>(size >> 52) - 1023;
  const int below = exponent < kMinExponent ? kMinExponent - exponent : 0;  // digits a subnormal result has not
  const int dropped = 52 - Format::kFractionBits + below < 63 ? 52 - Format::kFractionBits + below : 63;
  const unsigned long long significand = (size & (kHidden - 1)) | (size < kHidden ? 0 : kHidden);
  const unsigned long long kept = significand >> dropped;
  const unsigned long long rest = significand & ((1ULL << dropped) - 1);
  const unsigned long long middle = 1ULL << (dropped - 1);
  const bool up = kToward == Toward::kNearest ? rest > middle || (rest == middle && (kept & 1) != 0)
                                              : rest != 0 && rounds_away<kToward>(negative);
  const int normal = below == 0 ? exponent - kMinExponent : 0;  // the significand's hidden bit adds one
  return static_cast<Bits>((static_cast<unsigned>(normal) << Format::kFractionBits) + kept + (up ? 1 : 0));
}

/// x in the given format.
template <class Format, Toward kToward = Toward::kNearest>
constexpr Bits rounded_bits(double x) noexcept {
  constexpr unsigned long long kInfinite = 0x7ffULL << 52;
  const unsigned long long bits = __builtin_bit_cast(unsigned long long, x);
  const bool negative = bits >> 63 != 0;
  const unsigned long long size = bits & ~(1ULL << 63);
  const unsigned sign = negative ? kSign : 0;
  constexpr unsigned long long kMoved = (1023ULL - Format::kMaxExponent) << 52;
  constexpr unsigned long long kNormal = 1ULL << 52;
  const unsigned long long rebased = size - kMoved;
  if (kToward == Toward::kNearest && rebased - kNormal < 2ULL * Format::kMaxExponent * kNormal) {
    constexpr int kDropped = 52 - Format::kFractionBits;
    const unsigned long long up = (1ULL << (kDropped - 1)) - 1 + (rebased >> kDropped & 1);
    return static_cast<Bits>(sign | ((rebased + up) >> kDropped));
  }
  if (size > kInfinite) return kNan;
  if (size == kInfinite) return static_cast<Bits>(sign | Format::kInfinity);
  if (size >> 52 > 1023 + Format::kMaxExponent) return static_cast<Bits>(sign | overflowed<Format, kToward>(negative));
  return static_cast<Bits>(sign | rounded_size<Format, kToward>(size, negative));
}

/// x in the given format, to nearest even; the short way for the commonest case.
template <class Format>
constexpr Bits nearest_in_integers(float x) noexcept;

template <>
constexpr Bits nearest_in_integers<Bfloat>(float x) noexcept {
  const unsigned bits = __builtin_bit_cast(unsigned, x);
  if ((bits & 0x7fffffffU) > 0x7f800000U) return kNan;
  return static_cast<Bits>((bits + 0x7fffU + ((bits >> 16) & 1)) >> 16);
}

template <>
constexpr Bits nearest_in_integers<Half>(float x) noexcept {
  const unsigned bits = __builtin_bit_cast(unsigned, x);
  const unsigned size = bits & 0x7fffffffU;
  const unsigned sign = bits >> 16 & kSign;
  if (size >= 0x47800000U) return static_cast<Bits>(size > 0x7f800000U ? kNan : sign | Half::kInfinity);
  if (size < 0x38800000U) {  // below 2^-14: adding 0.5 leaves the multiples of 2^-24 in the last ten places
    const float shifted = __builtin_bit_cast(float, size) + 0.5F;
    return static_cast<Bits>(sign | (__builtin_bit_cast(unsigned, shifted) - 0x3f000000U));
  }
  return static_cast<Bits>(sign | ((size - 0x38000000U + 0xfffU + ((size >> 13) & 1)) >> 13));
}

/// The number itself: every number of these formats is a float. A NaN of the one is 0x7fffffff, as on the device; one
/// of the other keeps its digits.
template <class Format>
constexpr float widened_in_integers(Bits bits) noexcept;

template <>
constexpr float widened_in_integers<Bfloat>(Bits bits) noexcept {
  return __builtin_bit_cast(float, static_cast<unsigned>(bits) << 16);
}

template <>
constexpr float widened_in_integers<Half>(Bits bits) noexcept {
  const unsigned size = bits & 0x7fffU;
  const unsigned sign = static_cast<unsigned>(bits & kSign) << 16;
  const unsigned normal = (size << 13) + (size < Half::kInfinity ? 0x38000000U : 0x70000000U);
  const unsigned subnormal = __builtin_bit_cast(unsigned, static_cast<float>(static_cast<int>(size)) * 0x1p-24F);
  const unsigned number = sign | (size < 0x400 ? subnormal : normal);
  return __builtin_bit_cast(float, size > Half::kInfinity ? 0x7fffffffU : number);
}

/// The same, by an instruction where there is one.
template <class Format>
constexpr Bits nearest_bits(float x) noexcept {
  if constexpr (Format::kFractionBits == Half::kFractionBits) {
    const bool is_number = (__builtin_bit_cast(unsigned, x) & 0x7fffffffU) <= 0x7f800000U;
    if (!__builtin_is_constant_evaluated() && detail::has_f16c()) return is_number ? detail::half_of_float(x) : kNan;
  }
  return nearest_in_integers<Format>(x);
}
template <class Format>
constexpr float widened(Bits bits) noexcept {
  if constexpr (Format::kFractionBits == Half::kFractionBits) {
    if (!__builtin_is_constant_evaluated() && detail::has_f16c() && !is_nan<Half>(bits)) {
      return detail::float_of_half(bits);
    }
  }
  return widened_in_integers<Format>(bits);
}

/// An integer in the given format. One of more than 53 digits is cut to 53 with a last digit of 1 where something was
/// cut off, which rounds as the integer itself does.
template <class Format, Toward kToward>
constexpr Bits integer_bits(unsigned long long size, bool negative) noexcept {
  const bool wide = size >> 53 != 0;
  const unsigned long long cut = size >> 11 | ((size & 0x7ff) != 0 ? 1 : 0);
  const double number = wide ? static_cast<double>(cut) * 0x1p11 : static_cast<double>(size);
  return rounded_bits<Format, kToward>(negative ? -number : number);
}

template <class Format, Toward kToward, class Integer>
constexpr Bits from_integer(Integer value) noexcept {
  const bool negative = value < 0;
  const auto wide = static_cast<unsigned long long>(value);
  return integer_bits<Format, kToward>(negative ? 0 - wide : wide, negative);
}

/// x rounded to an integer of 8 or 16 bits; what is out of range becomes the nearest number in range, NaN becomes 0.
template <class Integer, Toward kToward>
constexpr Integer to_short_integer(double x) noexcept {
  constexpr bool kSigned = static_cast<Integer>(-1) < 0;
  constexpr int kMost = (1 << (8 * static_cast<int>(sizeof(Integer)) - (kSigned ? 1 : 0))) - 1;
  constexpr int kLeast = kSigned ? -kMost - 1 : 0;
  const int whole = intrinsics::to_int<kToward, 0>(x);
  return static_cast<Integer>(whole < kLeast ? kLeast : whole > kMost ? kMost : whole);
}

/// x * y + z rounded once, for factors of at most 12 digits. Their product is exact in double; the sum is made odd in
/// its last digit where it is not exact, so that the second rounding sees on which side of a middle it lies
/// (Boldo and Melquiond, "Emulation of FMA and correctly rounded sums: proved algorithms using rounding to odd").
template <class Format>
constexpr Bits fused_in_double(double x, double y, double z) noexcept {
  const double product = x * y;
  const double sum = product + z;
  const unsigned long long bits = __builtin_bit_cast(unsigned long long, sum);
  if ((bits >> 52 & 0x7ff) == 0x7ff || (bits & 1) != 0) return rounded_bits<Format>(sum);
  const double summand = sum - product;
  const double error = (product - (sum - summand)) + (z - summand);
  if (error == 0) return rounded_bits<Format>(sum);
  const bool outward = (error > 0) == (sum > 0);
  return rounded_bits<Format>(__builtin_bit_cast(double, outward ? bits + 1 : bits - 1));
}

/// The same of numbers of the format. A float that was rounded once is rounded to the format as the exact number would
/// be unless it lies in the middle of two numbers of the format, or may: then nothing says which side the exact one is.
template <class Format>
constexpr Bits fused(float x, float y, float z) noexcept {
  constexpr unsigned kBelowMiddle = (1U << (22 - Format::kFractionBits)) - 1;
  constexpr unsigned kLeastNormal = (128U - Format::kMaxExponent) << 23;
  if (!__builtin_is_constant_evaluated() && detail::has_fma()) {
    const float sum = detail::fused(x, y, z);
    const unsigned bits = __builtin_bit_cast(unsigned, sum);
    if ((bits & kBelowMiddle) != 0 && (bits & 0x7fffffffU) >= kLeastNormal) return nearest_bits<Format>(sum);
  }
  return fused_in_double<Format>(x, y, z);
}

}  // namespace warpfiber::narrow
