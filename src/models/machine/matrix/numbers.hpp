// SPDX-License-Identifier: Apache-2.0
// Elements of matrices as numbers and exponents, without a branch: loops over them become vectors.
#pragma once

#include <warpfiber/detail/matrix.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "machine/matrix/workspace.hpp"

namespace warpfiber::machine {

// Vectors of 32 bytes, which a processor with AVX2 computes with as a whole.
/// Numbers of f64 in one.
inline constexpr unsigned kHalfVector = 4;
using Floats = float __attribute__((vector_size(32)));
using Integers = std::int32_t __attribute__((vector_size(32)));
using UnsignedVector = std::uint32_t __attribute__((vector_size(32)));
using Doubles = double __attribute__((vector_size(32)));
using LongIntegers = std::int64_t __attribute__((vector_size(32)));
using ShortIntegers = std::int16_t __attribute__((vector_size(16)));
using TwoShortIntegers = std::int16_t __attribute__((vector_size(32)));
using HalfFloats = float __attribute__((vector_size(16)));
using HalfIntegers = std::int32_t __attribute__((vector_size(16)));
using HalfWords = std::uint32_t __attribute__((vector_size(16)));

// Functions that return vectors are always inlined, so it is of no account how a call would return one.
#pragma GCC diagnostic ignored "-Wpsabi"
#define WARPFIBER_VECTOR_FUNCTION __attribute__((always_inline)) inline

template <class Vector, class Number>
WARPFIBER_VECTOR_FUNCTION Vector load_vector(const Number* from) {
  Vector vector;
  __builtin_memcpy(&vector, from, sizeof vector);
  return vector;
}
template <class Vector, class Number>
WARPFIBER_VECTOR_FUNCTION void store_vector(Number* to, const Vector& vector) {
  __builtin_memcpy(to, &vector, sizeof vector);
}

/// The numbers from `first` on of a vector.
template <class Half, class Vector>
WARPFIBER_VECTOR_FUNCTION Half half_of(const Vector& vector, unsigned first) {
  static_assert(2 * sizeof(Half) == sizeof(Vector));
  Half half;
  __builtin_memcpy(&half, reinterpret_cast<const char*>(&vector) + first * sizeof vector[0], sizeof half);
  return half;
}

template <class Vector>
WARPFIBER_VECTOR_FUNCTION bool has_any(const Vector& truths) {
  std::uint64_t parts[sizeof truths / sizeof(std::uint64_t)];
  __builtin_memcpy(parts, &truths, sizeof parts);
  std::uint64_t any = 0;
  for (const std::uint64_t part : parts) any |= part;
  return any != 0;
}

/// 2^exponent, where that is a normal number.
WARPFIBER_VECTOR_FUNCTION Floats powers_of_two(const Integers& exponents) {
  return reinterpret_cast<Floats>((exponents + 127) << 23);
}
WARPFIBER_VECTOR_FUNCTION Doubles double_powers(const HalfIntegers& exponents) {
  return reinterpret_cast<Doubles>(__builtin_convertvector(exponents + 1023, LongIntegers) << 52);
}

/// The exponents of normal numbers.
WARPFIBER_VECTOR_FUNCTION Integers exponents_of_normal(const Floats& values) {
  return (reinterpret_cast<Integers>(values) >> 23 & 0xff) - 127;
}

/// The exponent that counts for 0, alone and in a product with any number: less than that of any other product.
inline constexpr int kExponentOfZero = -1000;

/// Formats of fewer than 32 bits, with subnormal numbers.
struct NarrowFormat {
  unsigned fraction_bits;
  int bias;
  std::uint32_t sign;
  std::uint32_t least_not_finite;  // of the bits without the sign
};
inline constexpr NarrowFormat kHalf{10, 15, 0x8000, 0x7c00};
inline constexpr NarrowFormat kE4m3{3, 7, 0x80, 0x7f};

/// The numbers that the bits are, and the exponents that count for them: of subnormal numbers that of the least normal
/// one. Arbitrary numbers where the bits are an infinity or a NaN, which sets bits of `not_finite`.
template <NarrowFormat kFormat>
WARPFIBER_VECTOR_FUNCTION void decode_narrow(const UnsignedVector& bits, Floats& values, Integers& exponents,
                                             Integers& not_finite) {
  const Integers magnitude = reinterpret_cast<Integers>(bits & (kFormat.sign - 1));
  const Integers field = magnitude >> kFormat.fraction_bits;
  // As bits of f32. A subnormal number is what a normal one has more than the least one: no number here is a subnormal
  // f32, which processors are slow with.
  constexpr int kBias = (127 - kFormat.bias) << 23;
  constexpr int kOne = 1 << 23;
  const Integers shifted = (magnitude << (23 - kFormat.fraction_bits)) + kBias;
  const Floats least = reinterpret_cast<Floats>(Integers{} + (kBias + kOne));
  const Floats positive =
      field == 0 ? reinterpret_cast<Floats>(shifted + kOne) - least : reinterpret_cast<Floats>(shifted);
  const UnsignedVector sign = (bits & kFormat.sign) * (0x80000000U / kFormat.sign);
  values = reinterpret_cast<Floats>(reinterpret_cast<UnsignedVector>(positive) | sign);
  exponents = (field > 1 ? field : Integers{} + 1) - kFormat.bias;
  exponents = magnitude == 0 ? Integers{} + kExponentOfZero : exponents;
  not_finite |= magnitude >= static_cast<int>(kFormat.least_not_finite);
}

/// The same of f32, whose upper bits tf32 and bf16 are. For an infinity or a NaN: 0.
WARPFIBER_VECTOR_FUNCTION void decode_single(const UnsignedVector& bits, Floats& values, Integers& exponents,
                                             Integers& not_finite) {
  const Integers field = reinterpret_cast<Integers>(bits) >> 23 & 0xff;
  values = field == 0xff ? Floats{} : reinterpret_cast<Floats>(bits);
  exponents = field - ((field != 0) ^ -1) - 127;
  exponents = (bits & 0x7fffffffU) == 0 ? Integers{} + kExponentOfZero : exponents;
  not_finite |= field == 0xff;
}

inline double narrow_number(const NarrowFormat& format, std::uint32_t bits, bool has_infinity) {
  const std::uint32_t magnitude = bits & (format.sign - 1);
  const int field = static_cast<int>(magnitude >> format.fraction_bits);
  const std::uint32_t fraction = magnitude & ((1U << format.fraction_bits) - 1);
  const double sign = (bits & format.sign) != 0 ? -1 : 1;
  if (magnitude >= format.least_not_finite) {
    const bool is_infinite = has_infinity && fraction == 0;
    return is_infinite ? sign * std::numeric_limits<double>::infinity() : std::numeric_limits<double>::quiet_NaN();
  }
  const double significand =
      static_cast<double>(fraction) + (field == 0 ? 0.0 : std::ldexp(1.0, static_cast<int>(format.fraction_bits)));
  return sign * std::ldexp(significand, std::max(field, 1) - format.bias - static_cast<int>(format.fraction_bits));
}

/// Element `at` of words that hold elements of so many bits one after another.
inline std::uint32_t element_at(const std::uint32_t* words, unsigned at, unsigned bits) {
  const unsigned first = at * bits;
  return bits == 32 ? words[at] : words[first / 32] >> first % 32 & ((1U << bits) - 1);
}

/// Any element but of f64 and integers as a number, infinities and NaN included.
inline double number_of(detail::Element element, std::uint32_t bits) {
  switch (element) {
    case detail::Element::e4m3: return narrow_number(kE4m3, bits, false);
    case detail::Element::e5m2: return narrow_number(kHalf, bits << 8, true);
    case detail::Element::f16: return narrow_number(kHalf, bits, true);
    case detail::Element::bf16: return static_cast<double>(std::bit_cast<float>(bits << 16));
    case detail::Element::tf32: return static_cast<double>(std::bit_cast<float>(bits & 0xffffe000));
    default: return static_cast<double>(std::bit_cast<float>(bits));
  }
}

/// The bits of an infinity or of the NaN that GPUs return.
inline std::uint32_t special_output(detail::Element element, double sum) {
  if (element == detail::Element::f16) return std::isnan(sum) ? 0x7fffU : sum < 0 ? 0xfc00U : 0x7c00U;
  return std::isnan(sum) ? 0x7fffffffU : sum < 0 ? 0xff800000U : 0x7f800000U;
}

/// The bits of exact sums in f32 of which `fraction_bits` remain: what lies below is cut off. A sum that is cut to
/// nothing is +0.
WARPFIBER_VECTOR_FUNCTION HalfWords cut_to_single(const Doubles& sums, unsigned fraction_bits) {
  const LongIntegers exact = reinterpret_cast<LongIntegers>(sums);
  const LongIntegers cut = exact & std::int64_t{-1} << (52 - fraction_bits);
  HalfWords bits = reinterpret_cast<HalfWords>(__builtin_convertvector(reinterpret_cast<Doubles>(cut), HalfFloats));
  const LongIntegers field = exact >> 52 & 0x7ff;
  const LongIntegers is_subnormal = (field < 1023 - 126) & (field != 0);
  if (!has_any(is_subnormal)) return bits;
  for (unsigned i = 0; i < kHalfVector; ++i) {
    if (is_subnormal[i] == 0) continue;
    const auto steps =
        static_cast<std::uint32_t>(std::ldexp(std::fabs(sums[i]), 126 + static_cast<int>(fraction_bits)));
    bits[i] = steps == 0 ? 0 : (sums[i] < 0 ? 0x80000000U : 0) | steps << (23 - fraction_bits);
  }
  return bits;
}

/// The bits of f16 that are nearest to exact sums, the even ones of two.
WARPFIBER_VECTOR_FUNCTION HalfWords nearest_halves(const Doubles& sums) {
  // Through f32, whose last bit says whether anything was cut off, so that nothing is rounded twice.
  const LongIntegers exact = reinterpret_cast<LongIntegers>(sums);
  const LongIntegers kept = exact & std::int64_t{-1} << 29;
  const HalfIntegers is_cut = __builtin_convertvector(exact != kept, HalfIntegers);
  const HalfFloats cut = __builtin_convertvector(reinterpret_cast<Doubles>(kept), HalfFloats);
  const HalfIntegers single = reinterpret_cast<HalfIntegers>(cut) | (is_cut & 1);
  const HalfIntegers magnitude = single & 0x7fffffff;
  const HalfIntegers normal = (magnitude - (112 << 23) + 0xfff + (magnitude >> 13 & 1)) >> 13;
  // In a sum with 0.5 the last bit is a step of a subnormal number.
  constexpr int kOneHalf = 126 << 23;
  const HalfFloats moved =
      reinterpret_cast<HalfFloats>(magnitude) + reinterpret_cast<HalfFloats>(HalfIntegers{} + kOneHalf);
  const HalfIntegers subnormal = reinterpret_cast<HalfIntegers>(moved) - kOneHalf;
  HalfIntegers half = magnitude < (113 << 23) ? subnormal : normal;
  half = magnitude >= 0x477ff000 ? HalfIntegers{} + 0x7c00 : half;
  const HalfIntegers sign = half == 0 ? HalfIntegers{} : single >> 16 & 0x8000;
  return reinterpret_cast<HalfWords>(half | sign);
}

}  // namespace warpfiber::machine
