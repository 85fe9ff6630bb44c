// SPDX-License-Identifier: Apache-2.0
//
// CUDA's arithmetic with the rounding in the name: _rn to nearest even, _rz to zero, _ru up, _rd down (CUDA Math API,
// "Single/Double Precision Intrinsics"). All are correctly rounded and keep subnormal numbers. The _rn forms are the
// machine's own operations, kept out of fused multiply-adds as CUDA promises; the others are computed exactly in
// integers (src/execution/intrinsics/rounding.cpp), so they neither read nor change the thread's rounding mode. The
// sign and payload of a NaN are the machine's. Kernels and host code may call all of them.
#pragma once

#include <warpfiber/detail/host_instructions.hpp>
#include <warpfiber/detail/vector_types.hpp>

// GCC fuses across inlined functions but not through a barrier; Clang, unless asked to, only within one expression.
#if !defined(__clang__) && defined(__has_builtin)
#if __has_builtin(__builtin_assoc_barrier)
#define WARPFIBER_UNFUSED(expression) __builtin_assoc_barrier(expression)
#endif
#endif
#ifndef WARPFIBER_UNFUSED
#define WARPFIBER_UNFUSED(expression) (expression)
#endif

#define WARPFIBER_DIRECTED(T, name, parameters) \
  T name##_rz parameters noexcept;              \
  T name##_ru parameters noexcept;              \
  T name##_rd parameters noexcept;
#define WARPFIBER_ROUNDED(T, name, parameters, nearest) \
  inline T name##_rn parameters noexcept {              \
    return WARPFIBER_UNFUSED(nearest);                  \
  }                                                     \
  WARPFIBER_DIRECTED(T, name, parameters)

WARPFIBER_ROUNDED(float, __fadd, (float x, float y), x + y)
WARPFIBER_ROUNDED(float, __fsub, (float x, float y), x - y)
WARPFIBER_ROUNDED(float, __fmul, (float x, float y), x* y)
WARPFIBER_ROUNDED(float, __fdiv, (float x, float y), x / y)
WARPFIBER_ROUNDED(float, __frcp, (float x), 1 / x)
WARPFIBER_ROUNDED(float, __fsqrt, (float x), __builtin_sqrtf(x))
WARPFIBER_ROUNDED(float, __fmaf, (float x, float y, float z), warpfiber::detail::fused(x, y, z))
WARPFIBER_ROUNDED(float, __fmaf_ieee, (float x, float y, float z), warpfiber::detail::fused(x, y, z))

WARPFIBER_ROUNDED(double, __dadd, (double x, double y), x + y)
WARPFIBER_ROUNDED(double, __dsub, (double x, double y), x - y)
WARPFIBER_ROUNDED(double, __dmul, (double x, double y), x* y)
WARPFIBER_ROUNDED(double, __ddiv, (double x, double y), x / y)
WARPFIBER_ROUNDED(double, __drcp, (double x), 1 / x)
WARPFIBER_ROUNDED(double, __dsqrt, (double x), __builtin_sqrt(x))
WARPFIBER_ROUNDED(double, __fma, (double x, double y, double z), warpfiber::detail::fused(x, y, z))

/// 1 / sqrt(x). No float's result is as near to the middle between two floats as the double's two roundings are wrong,
/// which the tests verify for every significand.
inline float __frsqrt_rn(float x) noexcept {
  return static_cast<float>(1 / __builtin_sqrt(static_cast<double>(x)));
}

// Two lanes at once, as sm_100 has them.
#define WARPFIBER_PAIR(name, scalar, mode)                         \
  inline float2 name##_##mode(float2 x, float2 y) noexcept {       \
    return {scalar##_##mode(x.x, y.x), scalar##_##mode(x.y, y.y)}; \
  }
#define WARPFIBER_PAIRS(mode)                                            \
  WARPFIBER_PAIR(__fadd2, __fadd, mode)                                  \
  WARPFIBER_PAIR(__fmul2, __fmul, mode)                                  \
  inline float2 __ffma2_##mode(float2 x, float2 y, float2 z) noexcept {  \
    return {__fmaf_##mode(x.x, y.x, z.x), __fmaf_##mode(x.y, y.y, z.y)}; \
  }

WARPFIBER_PAIRS(rn)
WARPFIBER_PAIRS(rz)
WARPFIBER_PAIRS(ru)
WARPFIBER_PAIRS(rd)

#undef WARPFIBER_PAIRS
#undef WARPFIBER_PAIR
#undef WARPFIBER_ROUNDED
#undef WARPFIBER_DIRECTED
#undef WARPFIBER_UNFUSED
