// SPDX-License-Identifier: Apache-2.0
//
// CUDA's type-casting intrinsics: bits seen as another type, and conversions between integers and floating point with
// the rounding in the name, _rn to nearest even, _rz to zero, _ru up, _rd down (CUDA Math API, "Type Casting
// Intrinsics"). To an integer, what is out of range becomes the nearest number in range. NaN becomes 0 where a float is
// converted to 32 bits and 0x80000000 or 0x8000000000000000 otherwise (PTX ISA, "cvt"). Kernels and host code may call
// all of them.
#pragma once

namespace warpfiber::intrinsics {

/// kNearest breaks ties towards the even number, kNearestAway away from zero.
enum class Toward { kNearest, kNearestAway, kZero, kUp, kDown };

/// x rounded to an integer; |x| has to be below 2^63.
template <Toward kToward>
constexpr long long rounded(double x) noexcept {
  const long long whole = static_cast<long long>(x);
  const double rest = x - static_cast<double>(whole);
  if constexpr (kToward == Toward::kZero) return whole;
  if constexpr (kToward == Toward::kUp) return whole + (rest > 0 ? 1 : 0);
  if constexpr (kToward == Toward::kDown) return whole - (rest < 0 ? 1 : 0);
  if constexpr (kToward == Toward::kNearestAway) return whole + (rest >= 0.5 ? 1 : 0) - (rest <= -0.5 ? 1 : 0);
  const double tie = (whole & 1) != 0 ? 0.5 : 1;  // an odd number gives way at one half, an even one never gets to 1
  if (rest > 0.5 || rest >= tie) return whole + 1;
  if (rest < -0.5 || rest <= -tie) return whole - 1;
  return whole;
}

// The bounds of the 32-bit types are doubles, and rounding a number between two integers does not leave them.
template <Toward kToward, int kIfNan>
constexpr int to_int(double x) noexcept {
  if (x != x) return kIfNan;
  return static_cast<int>(rounded<kToward>(x < -0x1p31 ? -0x1p31 : x > 0x1p31 - 1 ? 0x1p31 - 1 : x));
}

template <Toward kToward, unsigned kIfNan>
constexpr unsigned to_uint(double x) noexcept {
  if (x != x) return kIfNan;
  return static_cast<unsigned>(rounded<kToward>(x < 0 ? 0 : x > 0x1p32 - 1 ? 0x1p32 - 1 : x));
}

template <Toward kToward>
constexpr long long to_longlong(double x) noexcept {
  if (x >= 0x1p63) return 0x7fffffffffffffffLL;
  if (!(x >= -0x1p63)) return -0x7fffffffffffffffLL - 1;
  return rounded<kToward>(x);
}

template <Toward kToward>
constexpr unsigned long long to_ulonglong(double x) noexcept {
  if (x != x) return 0x8000000000000000ULL;
  if (x <= 0) return 0;
  if (x >= 0x1p64) return 0xffffffffffffffffULL;
  if (x >= 0x1p63) return static_cast<unsigned long long>(x);
  return static_cast<unsigned long long>(rounded<kToward>(x));
}

}  // namespace warpfiber::intrinsics

/// The same bits as another type.
constexpr int __float_as_int(float x) noexcept {
  return __builtin_bit_cast(int, x);
}
constexpr unsigned int __float_as_uint(float x) noexcept {
  return __builtin_bit_cast(unsigned int, x);
}
constexpr float __int_as_float(int x) noexcept {
  return __builtin_bit_cast(float, x);
}
constexpr float __uint_as_float(unsigned int x) noexcept {
  return __builtin_bit_cast(float, x);
}
constexpr long long __double_as_longlong(double x) noexcept {
  return __builtin_bit_cast(long long, x);
}
constexpr double __longlong_as_double(long long x) noexcept {
  return __builtin_bit_cast(double, x);
}

/// The upper and the lower 32 bits of a double, and a double made of them.
constexpr int __double2hiint(double x) noexcept {
  return static_cast<int>(__builtin_bit_cast(long long, x) >> 32);
}
constexpr int __double2loint(double x) noexcept {
  return static_cast<int>(__builtin_bit_cast(long long, x));
}
constexpr double __hiloint2double(int hi, int lo) noexcept {
  return __builtin_bit_cast(
      double, static_cast<unsigned long long>(static_cast<unsigned>(hi)) << 32 | static_cast<unsigned>(lo));
}

// A family: four roundings of one conversion to an integer.
#define WARPFIBER_TO_INTEGER(name, Result, Argument, convert, ...)                         \
  constexpr Result name##_rn(Argument x) noexcept {                                        \
    using warpfiber::intrinsics::Toward;                                                   \
    return warpfiber::intrinsics::convert<Toward::kNearest __VA_OPT__(, ) __VA_ARGS__>(x); \
  }                                                                                        \
  constexpr Result name##_rz(Argument x) noexcept {                                        \
    using warpfiber::intrinsics::Toward;                                                   \
    return warpfiber::intrinsics::convert<Toward::kZero __VA_OPT__(, ) __VA_ARGS__>(x);    \
  }                                                                                        \
  constexpr Result name##_ru(Argument x) noexcept {                                        \
    using warpfiber::intrinsics::Toward;                                                   \
    return warpfiber::intrinsics::convert<Toward::kUp __VA_OPT__(, ) __VA_ARGS__>(x);      \
  }                                                                                        \
  constexpr Result name##_rd(Argument x) noexcept {                                        \
    using warpfiber::intrinsics::Toward;                                                   \
    return warpfiber::intrinsics::convert<Toward::kDown __VA_OPT__(, ) __VA_ARGS__>(x);    \
  }
// A family: conversions to floating point. To nearest is the language's own; the others are
// src/execution/intrinsics/rounding.cpp.
#define WARPFIBER_TO_FLOATING(name, Result, Argument) \
  constexpr Result name##_rn(Argument x) noexcept {   \
    return static_cast<Result>(x);                    \
  }                                                   \
  Result name##_rz(Argument x) noexcept;              \
  Result name##_ru(Argument x) noexcept;              \
  Result name##_rd(Argument x) noexcept;

WARPFIBER_TO_INTEGER(__float2int, int, float, to_int, 0)
WARPFIBER_TO_INTEGER(__float2uint, unsigned int, float, to_uint, 0)
WARPFIBER_TO_INTEGER(__float2ll, long long, float, to_longlong)
WARPFIBER_TO_INTEGER(__float2ull, unsigned long long, float, to_ulonglong)
WARPFIBER_TO_INTEGER(__double2int, int, double, to_int, -0x7fffffff - 1)
WARPFIBER_TO_INTEGER(__double2uint, unsigned int, double, to_uint, 0x80000000U)
WARPFIBER_TO_INTEGER(__double2ll, long long, double, to_longlong)
WARPFIBER_TO_INTEGER(__double2ull, unsigned long long, double, to_ulonglong)

WARPFIBER_TO_FLOATING(__int2float, float, int)
WARPFIBER_TO_FLOATING(__uint2float, float, unsigned int)
WARPFIBER_TO_FLOATING(__ll2float, float, long long)
WARPFIBER_TO_FLOATING(__ull2float, float, unsigned long long)
WARPFIBER_TO_FLOATING(__ll2double, double, long long)
WARPFIBER_TO_FLOATING(__ull2double, double, unsigned long long)
WARPFIBER_TO_FLOATING(__double2float, float, double)

#undef WARPFIBER_TO_INTEGER
#undef WARPFIBER_TO_FLOATING

/// Every 32-bit integer is a double: there is nothing to round.
constexpr double __int2double_rn(int x) noexcept {
  return x;
}
constexpr double __uint2double_rn(unsigned int x) noexcept {
  return x;
}
