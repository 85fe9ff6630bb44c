// SPDX-License-Identifier: Apache-2.0
//
// CUDA's fast approximations: __expf and the others that -use_fast_math substitutes (CUDA Math API, "Single Precision
// Intrinsics"). Here they are at least as accurate as the device's, so a kernel that needs the device's error bound
// gets it, but not the device's last bits. Where an approximation answers differently in kind (a negative base, a huge
// divisor), so does this. Kernels and host code may call all of them.
#pragma once

#include <math.h>

/// e^x, 10^x; natural, binary and decimal logarithm. At most 2 ULP.
inline float __expf(float x) noexcept {
  return expf(x);
}
inline float __exp10f(float x) noexcept {
  return exp10f(x);
}
inline float __logf(float x) noexcept {
  return logf(x);
}
inline float __log2f(float x) noexcept {
  return log2f(x);
}
inline float __log10f(float x) noexcept {
  return log10f(x);
}

/// Sine, cosine, tangent, hyperbolic tangent. At most 2 ULP, for large arguments too.
inline float __sinf(float x) noexcept {
  return sinf(x);
}
inline float __cosf(float x) noexcept {
  return cosf(x);
}
inline void __sincosf(float x, float* sine, float* cosine) noexcept {
  sincosf(x, sine, cosine);
}
inline float __tanf(float x) noexcept {
  return tanf(x);
}
inline float __tanhf(float x) noexcept {
  return tanhf(x);
}

/// x^y as 2^(y log2 x): NaN for negative x and for 0^0, and an error that grows with |y log2 x|, as CUDA defines it.
inline float __powf(float x, float y) noexcept {
  return exp2f(y * log2f(x));
}

/// x / y. For 2^126 < |y| < 2^128 a zero, or NaN if x is infinite, as CUDA documents.
inline float __fdividef(float x, float y) noexcept {
  const float size = fabsf(y);
  return size > 0x1p126F && size <= 0x1.fffffep127F ? x * copysignf(0, y) : x / y;
}

/// x brought into [0, 1]; NaN becomes 0.
constexpr float __saturatef(float x) noexcept {
  return x > 0 ? (x < 1 ? x : 1) : 0;
}
