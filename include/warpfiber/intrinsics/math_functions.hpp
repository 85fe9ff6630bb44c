// SPDX-License-Identifier: Apache-2.0
//
// The functions CUDA has beyond the C++ library, for float and double, and CUDA's overloads for float of those that C
// declares for double only (CUDA Math API, "Single/Double Precision Mathematical Functions"). Float versions compute in
// double and are off by at most 1 ULP; the error of the double versions is noted at each (docs/intrinsics.md has the
// table). Special values are those of CUDA's documentation. Kernels and host code may call all of them.
#pragma once

#include <math.h>
#include <stdlib.h>
#include <warpfiber/detail/host_instructions.hpp>
#include <warpfiber/intrinsics/cast.hpp>
#include <warpfiber/intrinsics/min_max.hpp>

// These are in C23, and newer C libraries declare them; as functions of C both declarations are one.
extern "C" {
/// 1 / sqrt(x), at most 1.5 ULP.
inline double rsqrt(double x) noexcept {
  return 1 / __builtin_sqrt(x);
}
inline float rsqrtf(float x) noexcept {
  return 1 / __builtin_sqrtf(x);
}

/// sin(pi x) and cos(pi x), at most 1 ULP, and exact where the result is 0, 1 or -1.
double sinpi(double x) noexcept;
float sinpif(float x) noexcept;
double cospi(double x) noexcept;
float cospif(float x) noexcept;

// The device takes -0 for less than +0 and saturates integers; the C library does neither. And these are too frequent
// in kernels for a call.
#define WARPFIBER_LIKE_DEVICE extern inline __attribute__((gnu_inline, always_inline))
WARPFIBER_LIKE_DEVICE float fminf(float x, float y) noexcept {
  return min(x, y);
}
WARPFIBER_LIKE_DEVICE float fmaxf(float x, float y) noexcept {
  return max(x, y);
}
WARPFIBER_LIKE_DEVICE double fmin(double x, double y) noexcept {
  return min(x, y);
}
WARPFIBER_LIKE_DEVICE double fmax(double x, double y) noexcept {
  return max(x, y);
}
#ifndef __FMA__
// Rounded once as well, but by a call.
WARPFIBER_LIKE_DEVICE float fmaf(float x, float y, float z) noexcept {
  return warpfiber::detail::fused(x, y, z);
}
WARPFIBER_LIKE_DEVICE double fma(double x, double y, double z) noexcept {
  return warpfiber::detail::fused(x, y, z);
}
#endif
#define WARPFIBER_TO_LONG(Long, name, Float, toward)                                 \
  WARPFIBER_LIKE_DEVICE Long name(Float x) noexcept {                                \
    using warpfiber::intrinsics::Toward;                                             \
    return static_cast<Long>(warpfiber::intrinsics::to_longlong<Toward::toward>(x)); \
  }
WARPFIBER_TO_LONG(long, lrint, double, kNearest)
WARPFIBER_TO_LONG(long, lrintf, float, kNearest)
WARPFIBER_TO_LONG(long long, llrint, double, kNearest)
WARPFIBER_TO_LONG(long long, llrintf, float, kNearest)
WARPFIBER_TO_LONG(long, lround, double, kNearestAway)
WARPFIBER_TO_LONG(long, lroundf, float, kNearestAway)
WARPFIBER_TO_LONG(long long, llround, double, kNearestAway)
WARPFIBER_TO_LONG(long long, llroundf, float, kNearestAway)
#undef WARPFIBER_TO_LONG
#undef WARPFIBER_LIKE_DEVICE
}

/// sinpi and cospi at once.
void sincospi(double x, double* sine, double* cosine) noexcept;
void sincospif(float x, float* sine, float* cosine) noexcept;

/// 1 / cbrt(x), at most 1 ULP.
double rcbrt(double x) noexcept;
float rcbrtf(float x) noexcept;

/// x / y, correctly rounded unless a fast form is asked for by name.
inline double fdivide(double x, double y) noexcept {
  return x / y;
}
inline float fdividef(float x, float y) noexcept {
  return x / y;
}

/// 1 / sqrt(x^2 + y^2), at most 1.5 ULP; no overflow in between. 0 if either is infinite, even with a NaN.
double rhypot(double x, double y) noexcept;
float rhypotf(float x, float y) noexcept;

/// The Euclidean length of a vector of 3, 4 or `dim` numbers, at most 1 ULP; no overflow in between. Infinite if any
/// number is, even with a NaN. The functions beginning with r are its reciprocal, at most 1.5 ULP.
double norm3d(double a, double b, double c) noexcept;
float norm3df(float a, float b, float c) noexcept;
double norm4d(double a, double b, double c, double d) noexcept;
float norm4df(float a, float b, float c, float d) noexcept;
double norm(int dim, const double* p) noexcept;
float normf(int dim, const float* p) noexcept;
double rnorm3d(double a, double b, double c) noexcept;
float rnorm3df(float a, float b, float c) noexcept;
double rnorm4d(double a, double b, double c, double d) noexcept;
float rnorm4df(float a, float b, float c, float d) noexcept;
double rnorm(int dim, const double* p) noexcept;
float rnormf(int dim, const float* p) noexcept;

/// The inverses of erf on [-1, 1] and of erfc on [0, 2], at most 1 ULP; infinite at the ends, NaN beyond them.
double erfinv(double y) noexcept;
float erfinvf(float y) noexcept;
double erfcinv(double y) noexcept;
float erfcinvf(float y) noexcept;

/// exp(x^2) erfc(x), at most 1 ULP.
double erfcx(double x) noexcept;
float erfcxf(float x) noexcept;

/// The standard normal distribution function and, on [0, 1], its inverse, at most 1 ULP.
double normcdf(double x) noexcept;
float normcdff(float x) noexcept;
double normcdfinv(double p) noexcept;
float normcdfinvf(float p) noexcept;

/// Modified Bessel functions of the first kind, of order 0 and 1, at most 1 ULP.
double cyl_bessel_i0(double x) noexcept;
float cyl_bessel_i0f(float x) noexcept;
double cyl_bessel_i1(double x) noexcept;
float cyl_bessel_i1f(float x) noexcept;

// CUDA's overloads for float.
#define WARPFIBER_FLOAT_OVERLOAD(name)  \
  inline float name(float x) noexcept { \
    return name##f(x);                  \
  }

WARPFIBER_FLOAT_OVERLOAD(exp10)
WARPFIBER_FLOAT_OVERLOAD(rsqrt)
WARPFIBER_FLOAT_OVERLOAD(rcbrt)
WARPFIBER_FLOAT_OVERLOAD(sinpi)
WARPFIBER_FLOAT_OVERLOAD(cospi)
WARPFIBER_FLOAT_OVERLOAD(j0)
WARPFIBER_FLOAT_OVERLOAD(j1)
WARPFIBER_FLOAT_OVERLOAD(y0)
WARPFIBER_FLOAT_OVERLOAD(y1)
WARPFIBER_FLOAT_OVERLOAD(erfinv)
WARPFIBER_FLOAT_OVERLOAD(erfcinv)
WARPFIBER_FLOAT_OVERLOAD(erfcx)
WARPFIBER_FLOAT_OVERLOAD(normcdf)
WARPFIBER_FLOAT_OVERLOAD(normcdfinv)
WARPFIBER_FLOAT_OVERLOAD(cyl_bessel_i0)
WARPFIBER_FLOAT_OVERLOAD(cyl_bessel_i1)

#undef WARPFIBER_FLOAT_OVERLOAD

inline float jn(int n, float x) noexcept {
  return jnf(n, x);
}
inline float yn(int n, float x) noexcept {
  return ynf(n, x);
}
inline void sincos(float x, float* sine, float* cosine) noexcept {
  sincosf(x, sine, cosine);
}
inline void sincospi(float x, float* sine, float* cosine) noexcept {
  sincospif(x, sine, cosine);
}
inline double copysign(double x, float y) noexcept {
  return __builtin_copysign(x, static_cast<double>(y));
}
inline double copysign(float x, double y) noexcept {
  return __builtin_copysign(static_cast<double>(x), y);
}
