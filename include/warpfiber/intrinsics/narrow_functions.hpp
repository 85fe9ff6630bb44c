// SPDX-License-Identifier: Apache-2.0
//
// The functions __half and __nv_bfloat16 have in common, as macros over the number T, its pair T2 and, where names
// differ, the word in the names: WARPFIBER_NARROW_ARITHMETIC, _COMPARISONS, _CONVERSIONS, _PACKING, _MATHEMATICS. Used
// by half.hpp and bfloat16.hpp only, which document what they make. Not templates: CUDA's functions convert their
// arguments.
// Rounding in float: sums, differences, products and quotients of numbers of p digits, and square roots, that are
// rounded to 2p + 2 digits or more and then to p are rounded as if once (Figueroa, "When is double rounding
// innocuous?"); 11 and 8 digits leave room for float's 24. Where the narrow result is subnormal, sums and products are
// exact in float or away from every middle, and quotients of 11 digits differ from a middle of as many by more than
// float's error; half_test.cpp and bfloat16_test.cpp compare with exact arithmetic.
#pragma once

#include <math.h>
#include <warpfiber/detail/vector_types.hpp>
#include <warpfiber/intrinsics/min_max.hpp>
#include <warpfiber/intrinsics/narrow_type.hpp>

namespace warpfiber::narrow {

template <class Format, class T>
constexpr float wide(T value) noexcept {
  return widened<Format>(bits_of(value));
}

template <class T>
constexpr T from_bits(Bits bits) noexcept {
  return __builtin_bit_cast(T, bits);
}

template <class Format, class T>
constexpr T nearest(float value) noexcept {
  return from_bits<T>(nearest_bits<Format>(value));
}
template <class Format, class T>
constexpr T nearest(double value) noexcept {
  return from_bits<T>(rounded_bits<Format>(value));
}

/// Brought into [0, 1]; NaN becomes +0.
template <class Format, class T>
constexpr T saturated(T value) noexcept {
  const Bits bits = bits_of(value);
  if ((bits & kSign) != 0 || is_nan<Format>(bits)) return from_bits<T>(0);
  return from_bits<T>(bits < Format::kOne ? bits : Format::kOne);
}

/// Negative numbers become +0.
template <class Format, class T>
constexpr T rectified(T value) noexcept {
  const Bits bits = bits_of(value);
  return (bits & kSign) != 0 && !is_nan<Format>(bits) ? from_bits<T>(0) : value;
}

template <class Format, class T>
constexpr T without_sign(T value) noexcept {
  const Bits size = bits_of(value) & 0x7fff;
  return from_bits<T>(is_nan<Format>(size) ? kNan : size);
}
template <class Format, class T>
constexpr T negated(T value) noexcept {
  const Bits bits = bits_of(value);
  return from_bits<T>(is_nan<Format>(bits) ? kNan : static_cast<Bits>(bits ^ kSign));
}

template <class Format, class T>
constexpr T lesser(T a, T b) noexcept {
  return nearest<Format, T>(min(wide<Format>(a), wide<Format>(b)));
}
template <class Format, class T>
constexpr T greater(T a, T b) noexcept {
  return nearest<Format, T>(max(wide<Format>(a), wide<Format>(b)));
}

template <class Format, class T>
constexpr bool either_is_nan(T a, T b) noexcept {
  return is_nan<Format>(bits_of(a)) || is_nan<Format>(bits_of(b));
}

constexpr unsigned mask_of(bool low, bool high) noexcept {
  return (low ? 0xffffU : 0) | (high ? 0xffff0000U : 0);
}

}  // namespace warpfiber::narrow

// A function of pairs that is a function of numbers in both halves.
#define WARPFIBER_NARROW_PAIRED_1(T2, name2, name) \
  constexpr T2 name2(T2 a) noexcept {              \
    return T2(name(a.x), name(a.y));               \
  }
#define WARPFIBER_NARROW_PAIRED_2(T2, name2, name) \
  constexpr T2 name2(T2 a, T2 b) noexcept {        \
    return T2(name(a.x, b.x), name(a.y, b.y));     \
  }
#define WARPFIBER_NARROW_PAIRED_3(T2, name2, name)       \
  constexpr T2 name2(T2 a, T2 b, T2 c) noexcept {        \
    return T2(name(a.x, b.x, c.x), name(a.y, b.y, c.y)); \
  }

#define WARPFIBER_NARROW_BINARY(Format, T, T2, name, sign)                           \
  constexpr T __h##name(T a, T b) noexcept {                                         \
    using namespace warpfiber::narrow;                                               \
    return nearest<Format, T>(wide<Format>(a) sign wide<Format>(b));                 \
  }                                                                                  \
  constexpr T __h##name##_rn(T a, T b) noexcept {                                    \
    return __h##name(a, b);                                                          \
  }                                                                                  \
  constexpr T __h##name##_sat(T a, T b) noexcept {                                   \
    return warpfiber::narrow::saturated<warpfiber::narrow::Format>(__h##name(a, b)); \
  }                                                                                  \
  WARPFIBER_NARROW_PAIRED_2(T2, __h##name##2, __h##name)                             \
  WARPFIBER_NARROW_PAIRED_2(T2, __h##name##2_rn, __h##name)                          \
  WARPFIBER_NARROW_PAIRED_2(T2, __h##name##2_sat, __h##name##_sat)

#define WARPFIBER_NARROW_FUSED(Format, T, T2)                                              \
  constexpr T __hfma(T a, T b, T c) noexcept {                                             \
    using namespace warpfiber::narrow;                                                     \
    return from_bits<T>(fused<Format>(wide<Format>(a), wide<Format>(b), wide<Format>(c))); \
  }                                                                                        \
  constexpr T __hfma_sat(T a, T b, T c) noexcept {                                         \
    return warpfiber::narrow::saturated<warpfiber::narrow::Format>(__hfma(a, b, c));       \
  }                                                                                        \
  constexpr T __hfma_relu(T a, T b, T c) noexcept {                                        \
    return warpfiber::narrow::rectified<warpfiber::narrow::Format>(__hfma(a, b, c));       \
  }                                                                                        \
  WARPFIBER_NARROW_PAIRED_3(T2, __hfma2, __hfma)                                           \
  WARPFIBER_NARROW_PAIRED_3(T2, __hfma2_sat, __hfma_sat)                                   \
  WARPFIBER_NARROW_PAIRED_3(T2, __hfma2_relu, __hfma_relu)

#define WARPFIBER_NARROW_ARITHMETIC(Format, T, T2)                          \
  WARPFIBER_NARROW_BINARY(Format, T, T2, add, +)                            \
  WARPFIBER_NARROW_BINARY(Format, T, T2, sub, -)                            \
  WARPFIBER_NARROW_BINARY(Format, T, T2, mul, *)                            \
  WARPFIBER_NARROW_FUSED(Format, T, T2)                                     \
  constexpr T __hdiv(T a, T b) noexcept {                                   \
    using namespace warpfiber::narrow;                                      \
    return nearest<Format, T>(wide<Format>(a) / wide<Format>(b));           \
  }                                                                         \
  constexpr T __habs(T a) noexcept {                                        \
    return warpfiber::narrow::without_sign<warpfiber::narrow::Format>(a);   \
  }                                                                         \
  constexpr T __hneg(T a) noexcept {                                        \
    return warpfiber::narrow::negated<warpfiber::narrow::Format>(a);        \
  }                                                                         \
  WARPFIBER_NARROW_PAIRED_2(T2, __h2div, __hdiv)                            \
  WARPFIBER_NARROW_PAIRED_1(T2, __habs2, __habs)                            \
  WARPFIBER_NARROW_PAIRED_1(T2, __hneg2, __hneg)                            \
  constexpr T2 __hcmadd(T2 a, T2 b, T2 c) noexcept {                        \
    const T real = __hfma(a.x, b.x, c.x);                                   \
    const T imaginary = __hfma(a.x, b.y, c.y);                              \
    return T2(__hfma(__hneg(a.y), b.y, real), __hfma(a.y, b.x, imaginary)); \
  }

// One relation with its four results: of numbers, of pairs as 1 or 0, as masks, and of both halves at once.
#define WARPFIBER_NARROW_COMPARISON(Format, T, T2, name, holds)                  \
  constexpr bool __h##name(T a, T b) noexcept {                                  \
    const float x = warpfiber::narrow::wide<warpfiber::narrow::Format>(a);       \
    const float y = warpfiber::narrow::wide<warpfiber::narrow::Format>(b);       \
    return holds;                                                                \
  }                                                                              \
  constexpr T2 __h##name##2(T2 a, T2 b) noexcept {                               \
    using namespace warpfiber::narrow;                                           \
    return T2(from_bits<T>(__h##name(a.x, b.x) ? Format::kOne : 0),              \
              from_bits<T>(__h##name(a.y, b.y) ? Format::kOne : 0));             \
  }                                                                              \
  constexpr unsigned __h##name##2_mask(T2 a, T2 b) noexcept {                    \
    return warpfiber::narrow::mask_of(__h##name(a.x, b.x), __h##name(a.y, b.y)); \
  }                                                                              \
  constexpr bool __hb##name##2(T2 a, T2 b) noexcept {                            \
    return __h##name(a.x, b.x) && __h##name(a.y, b.y);                           \
  }

#define WARPFIBER_NARROW_EXTREMUM(Format, T, T2, name, function)               \
  constexpr T __h##name(T a, T b) noexcept {                                   \
    return warpfiber::narrow::function<warpfiber::narrow::Format>(a, b);       \
  }                                                                            \
  constexpr T __h##name##_nan(T a, T b) noexcept {                             \
    using namespace warpfiber::narrow;                                         \
    return either_is_nan<Format>(a, b) ? from_bits<T>(kNan) : __h##name(a, b); \
  }                                                                            \
  WARPFIBER_NARROW_PAIRED_2(T2, __h##name##2, __h##name)                       \
  WARPFIBER_NARROW_PAIRED_2(T2, __h##name##2_nan, __h##name##_nan)

#define WARPFIBER_NARROW_COMPARISONS(Format, T, T2)                                                            \
  WARPFIBER_NARROW_COMPARISON(Format, T, T2, eq, x == y)                                                       \
  WARPFIBER_NARROW_COMPARISON(Format, T, T2, ne, x<y || x> y)                                                  \
  WARPFIBER_NARROW_COMPARISON(Format, T, T2, le, x <= y)                                                       \
  WARPFIBER_NARROW_COMPARISON(Format, T, T2, ge, x >= y)                                                       \
  WARPFIBER_NARROW_COMPARISON(Format, T, T2, lt, x < y)                                                        \
  WARPFIBER_NARROW_COMPARISON(Format, T, T2, gt, x > y)                                                        \
  WARPFIBER_NARROW_COMPARISON(Format, T, T2, equ, !(x < y || x > y))                                           \
  WARPFIBER_NARROW_COMPARISON(Format, T, T2, neu, !(x == y))                                                   \
  WARPFIBER_NARROW_COMPARISON(Format, T, T2, leu, !(x > y))                                                    \
  WARPFIBER_NARROW_COMPARISON(Format, T, T2, geu, !(x < y))                                                    \
  WARPFIBER_NARROW_COMPARISON(Format, T, T2, ltu, !(x >= y))                                                   \
  WARPFIBER_NARROW_COMPARISON(Format, T, T2, gtu, !(x <= y))                                                   \
  WARPFIBER_NARROW_EXTREMUM(Format, T, T2, min, lesser)                                                        \
  WARPFIBER_NARROW_EXTREMUM(Format, T, T2, max, greater)                                                       \
  constexpr bool __hisnan(T a) noexcept {                                                                      \
    return warpfiber::narrow::is_nan<warpfiber::narrow::Format>(warpfiber::narrow::bits_of(a));                \
  }                                                                                                            \
  constexpr T2 __hisnan2(T2 a) noexcept {                                                                      \
    using namespace warpfiber::narrow;                                                                         \
    return T2(from_bits<T>(__hisnan(a.x) ? Format::kOne : 0), from_bits<T>(__hisnan(a.y) ? Format::kOne : 0)); \
  }                                                                                                            \
  constexpr int __hisinf(T a) noexcept {                                                                       \
    using namespace warpfiber::narrow;                                                                         \
    const Bits bits = bits_of(a);                                                                              \
    return bits == Format::kInfinity ? 1 : bits == (Format::kInfinity | kSign) ? -1 : 0;                       \
  }

// Four roundings of a conversion. `expression` yields bits, or an integer, from x with the rounding `kToward`.
#define WARPFIBER_NARROW_ROUNDED(Result, name, suffix, Argument, toward, expression) \
  constexpr Result name##_##suffix(Argument x) noexcept {                            \
    using namespace warpfiber::narrow;                                               \
    constexpr Toward kToward = Toward::toward;                                       \
    return expression;                                                               \
  }
#define WARPFIBER_NARROW_ROUNDINGS(Result, name, Argument, expression)       \
  WARPFIBER_NARROW_ROUNDED(Result, name, rn, Argument, kNearest, expression) \
  WARPFIBER_NARROW_ROUNDED(Result, name, rz, Argument, kZero, expression)    \
  WARPFIBER_NARROW_ROUNDED(Result, name, ru, Argument, kUp, expression)      \
  WARPFIBER_NARROW_ROUNDED(Result, name, rd, Argument, kDown, expression)
#define WARPFIBER_NARROW_FROM_INTEGER(Format, T, name, Integer) \
  WARPFIBER_NARROW_ROUNDINGS(T, name, Integer, (from_bits<T>(from_integer<Format, kToward>(x))))
#define WARPFIBER_NARROW_TO_INTEGER(Format, T, name, Integer, convert) \
  WARPFIBER_NARROW_ROUNDINGS(Integer, name, T, (convert(wide<Format>(x))))

#define WARPFIBER_NARROW_INTEGER_CONVERSIONS(Format, T, word)                                                         \
  WARPFIBER_NARROW_FROM_INTEGER(Format, T, __short2##word, short)                                                     \
  WARPFIBER_NARROW_FROM_INTEGER(Format, T, __ushort2##word, unsigned short)                                           \
  WARPFIBER_NARROW_FROM_INTEGER(Format, T, __int2##word, int)                                                         \
  WARPFIBER_NARROW_FROM_INTEGER(Format, T, __uint2##word, unsigned int)                                               \
  WARPFIBER_NARROW_FROM_INTEGER(Format, T, __ll2##word, long long)                                                    \
  WARPFIBER_NARROW_FROM_INTEGER(Format, T, __ull2##word, unsigned long long)                                          \
  WARPFIBER_NARROW_TO_INTEGER(Format, T, __##word##2short, short, (to_short_integer<short, kToward>))                 \
  WARPFIBER_NARROW_TO_INTEGER(Format, T, __##word##2ushort, unsigned short,                                           \
                              (to_short_integer<unsigned short, kToward>))                                            \
  WARPFIBER_NARROW_TO_INTEGER(Format, T, __##word##2int, int, (warpfiber::intrinsics::to_int<kToward, 0>))            \
  WARPFIBER_NARROW_TO_INTEGER(Format, T, __##word##2uint, unsigned int, (warpfiber::intrinsics::to_uint<kToward, 0>)) \
  WARPFIBER_NARROW_TO_INTEGER(Format, T, __##word##2ll, long long, warpfiber::intrinsics::to_longlong<kToward>)       \
  WARPFIBER_NARROW_TO_INTEGER(Format, T, __##word##2ull, unsigned long long,                                          \
                              warpfiber::intrinsics::to_ulonglong<kToward>)                                           \
  WARPFIBER_NARROW_ROUNDED(signed char, __##word##2char, rz, T, kZero,                                                \
                           (to_short_integer<signed char, kToward>(wide<Format>(x))))                                 \
  WARPFIBER_NARROW_ROUNDED(unsigned char, __##word##2uchar, rz, T, kZero,                                             \
                           (to_short_integer<unsigned char, kToward>(wide<Format>(x))))

#define WARPFIBER_NARROW_CONVERSIONS(Format, T, T2, word)                                                \
  WARPFIBER_NARROW_ROUNDINGS(T, __float2##word, float, (from_bits<T>(rounded_bits<Format, kToward>(x)))) \
  constexpr T __float2##word(float x) noexcept {                                                         \
    return warpfiber::narrow::nearest<warpfiber::narrow::Format, T>(x);                                  \
  }                                                                                                      \
  constexpr T __double2##word(double x) noexcept {                                                       \
    return warpfiber::narrow::nearest<warpfiber::narrow::Format, T>(x);                                  \
  }                                                                                                      \
  constexpr float __##word##2float(T x) noexcept {                                                       \
    return warpfiber::narrow::wide<warpfiber::narrow::Format>(x);                                        \
  }                                                                                                      \
  WARPFIBER_NARROW_INTEGER_CONVERSIONS(Format, T, word)                                                  \
  constexpr short __##word##_as_short(T x) noexcept {                                                    \
    return __builtin_bit_cast(short, x);                                                                 \
  }                                                                                                      \
  constexpr unsigned short __##word##_as_ushort(T x) noexcept {                                          \
    return __builtin_bit_cast(unsigned short, x);                                                        \
  }                                                                                                      \
  constexpr T __short_as_##word(short x) noexcept {                                                      \
    return __builtin_bit_cast(T, x);                                                                     \
  }                                                                                                      \
  constexpr T __ushort_as_##word(unsigned short x) noexcept {                                            \
    return __builtin_bit_cast(T, x);                                                                     \
  }

#define WARPFIBER_NARROW_PACKING(Format, T, T2, word)             \
  constexpr T2 make_##word##2(T x, T y) noexcept {                \
    return T2(x, y);                                              \
  }                                                               \
  constexpr T2 __halves2##word##2(T low, T high) noexcept {       \
    return T2(low, high);                                         \
  }                                                               \
  constexpr T2 __##word##2##word##2(T x) noexcept {               \
    return T2(x, x);                                              \
  }                                                               \
  constexpr T __low2##word(T2 a) noexcept {                       \
    return a.x;                                                   \
  }                                                               \
  constexpr T __high2##word(T2 a) noexcept {                      \
    return a.y;                                                   \
  }                                                               \
  constexpr T2 __low2##word##2(T2 a) noexcept {                   \
    return T2(a.x, a.x);                                          \
  }                                                               \
  constexpr T2 __high2##word##2(T2 a) noexcept {                  \
    return T2(a.y, a.y);                                          \
  }                                                               \
  constexpr T2 __lows2##word##2(T2 a, T2 b) noexcept {            \
    return T2(a.x, b.x);                                          \
  }                                                               \
  constexpr T2 __highs2##word##2(T2 a, T2 b) noexcept {           \
    return T2(a.y, b.y);                                          \
  }                                                               \
  constexpr T2 __lowhigh2highlow(T2 a) noexcept {                 \
    return T2(a.y, a.x);                                          \
  }                                                               \
  constexpr float __low2float(T2 a) noexcept {                    \
    return __##word##2float(a.x);                                 \
  }                                                               \
  constexpr float __high2float(T2 a) noexcept {                   \
    return __##word##2float(a.y);                                 \
  }                                                               \
  constexpr T2 __float2##word##2_rn(float x) noexcept {           \
    return T2(__float2##word(x), __float2##word(x));              \
  }                                                               \
  constexpr T2 __floats2##word##2_rn(float x, float y) noexcept { \
    return T2(__float2##word(x), __float2##word(y));              \
  }                                                               \
  constexpr T2 __float22##word##2_rn(float2 a) noexcept {         \
    return T2(__float2##word(a.x), __float2##word(a.y));          \
  }                                                               \
  constexpr float2 __##word##22float2(T2 a) noexcept {            \
    return {__##word##2float(a.x), __##word##2float(a.y)};        \
  }

// A function computed in double, and the same of pairs.
#define WARPFIBER_NARROW_FUNCTION(Format, T, T2, name, expression)               \
  inline T h##name(T a) noexcept {                                               \
    const double x = warpfiber::narrow::wide<warpfiber::narrow::Format>(a);      \
    return warpfiber::narrow::nearest<warpfiber::narrow::Format, T>(expression); \
  }                                                                              \
  inline T2 h2##name(T2 a) noexcept {                                            \
    return T2(h##name(a.x), h##name(a.y));                                       \
  }
#define WARPFIBER_NARROW_MATHEMATICS(Format, T, T2)                      \
  WARPFIBER_NARROW_FUNCTION(Format, T, T2, sqrt, __builtin_sqrt(x))      \
  WARPFIBER_NARROW_FUNCTION(Format, T, T2, rsqrt, 1 / __builtin_sqrt(x)) \
  WARPFIBER_NARROW_FUNCTION(Format, T, T2, rcp, 1 / x)                   \
  WARPFIBER_NARROW_FUNCTION(Format, T, T2, log, log(x))                  \
  WARPFIBER_NARROW_FUNCTION(Format, T, T2, log2, log2(x))                \
  WARPFIBER_NARROW_FUNCTION(Format, T, T2, log10, log10(x))              \
  WARPFIBER_NARROW_FUNCTION(Format, T, T2, exp, exp(x))                  \
  WARPFIBER_NARROW_FUNCTION(Format, T, T2, exp2, exp2(x))                \
  WARPFIBER_NARROW_FUNCTION(Format, T, T2, exp10, exp10(x))              \
  WARPFIBER_NARROW_FUNCTION(Format, T, T2, sin, sin(x))                  \
  WARPFIBER_NARROW_FUNCTION(Format, T, T2, cos, cos(x))                  \
  WARPFIBER_NARROW_FUNCTION(Format, T, T2, tanh, tanh(x))                \
  WARPFIBER_NARROW_FUNCTION(Format, T, T2, tanh_approx, tanh(x))         \
  WARPFIBER_NARROW_FUNCTION(Format, T, T2, trunc, __builtin_trunc(x))    \
  WARPFIBER_NARROW_FUNCTION(Format, T, T2, ceil, __builtin_ceil(x))      \
  WARPFIBER_NARROW_FUNCTION(Format, T, T2, floor, __builtin_floor(x))    \
  WARPFIBER_NARROW_FUNCTION(Format, T, T2, rint, __builtin_rint(x))
