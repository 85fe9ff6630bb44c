// SPDX-License-Identifier: Apache-2.0
// Instructions that compilers may not take for granted on x86-64 and nearly every processor has: fused multiply-add,
// conversions of half precision, counting of bits. Without them a kernel calls a function or computes in integers, for
// ten times as long. Invariant: what is behind such an instruction has the same result without it, bit for bit. Used by
// the headers of mathematics; a call must not be evaluated by the compiler.
#pragma once

#include <warpfiber/detail/config.hpp>

namespace warpfiber::detail {

struct HostInstructions {
  bool fma = false;
  bool f16c = false;
  bool popcnt = false;
};

/// What the processor has; looked up while the program is initialised, until when it has nothing (src/foundation/base).
extern const HostInstructions host_instructions;

/// x * y + z rounded once, by the C library.
float fused_by_library(float x, float y, float z) noexcept;
double fused_by_library(double x, double y, double z) noexcept;

// Regions are compiled for several processors, and into loops that compilers vectorise: compilers choose there.

#if defined(__x86_64__)

inline __attribute__((always_inline)) bool has_fma() noexcept {
  if constexpr (kRunsAsRegions) return true;
#ifdef __FMA__
  return true;
#else
  return __builtin_expect(host_instructions.fma, true);
#endif
}
inline __attribute__((always_inline)) bool has_f16c() noexcept {
  if constexpr (kRunsAsRegions) return false;
#ifdef __F16C__
  return true;
#else
  return __builtin_expect(host_instructions.f16c, true);
#endif
}

inline __attribute__((always_inline)) float fused(float x, float y, float z) noexcept {
  if constexpr (kRunsAsRegions) return __builtin_fmaf(x, y, z);
  if (!has_fma()) return fused_by_library(x, y, z);
  asm("vfmadd213ss %2, %1, %0" : "+x"(x) : "x"(y), "x"(z));
  return x;
}
inline __attribute__((always_inline)) double fused(double x, double y, double z) noexcept {
  if constexpr (kRunsAsRegions) return __builtin_fma(x, y, z);
  if (!has_fma()) return fused_by_library(x, y, z);
  asm("vfmadd213sd %2, %1, %0" : "+x"(x) : "x"(y), "x"(z));
  return x;
}

inline __attribute__((always_inline)) int ones_in(unsigned long long x) noexcept {
  if constexpr (kRunsAsRegions) return __builtin_popcountll(x);
#ifndef __POPCNT__
  if (__builtin_expect(host_instructions.popcnt, true)) {
    asm("popcnt %0, %0" : "+r"(x) : : "cc");
    return static_cast<int>(x);
  }
#endif
  return __builtin_popcountll(x);
}

using FourWords = unsigned __attribute__((vector_size(16)));

/// A number of binary16 that is no NaN as a float, and the other way to nearest even. Only where has_f16c().
inline __attribute__((always_inline)) float float_of_half(unsigned short bits) noexcept {
  const FourWords packed{bits};
  float number;
  asm("vcvtph2ps %1, %0" : "=x"(number) : "x"(packed));
  return number;
}
inline __attribute__((always_inline)) unsigned short half_of_float(float number) noexcept {
  FourWords packed;
  asm("vcvtps2ph $0, %1, %0" : "=x"(packed) : "x"(number));
  return static_cast<unsigned short>(packed[0]);
}

#else

constexpr bool has_fma() noexcept {
  return false;
}
constexpr bool has_f16c() noexcept {
  return false;
}
inline float fused(float x, float y, float z) noexcept {
  return fused_by_library(x, y, z);
}
inline double fused(double x, double y, double z) noexcept {
  return fused_by_library(x, y, z);
}
inline int ones_in(unsigned long long x) noexcept {
  return __builtin_popcountll(x);
}
inline float float_of_half(unsigned short) noexcept {
  return 0;
}
inline unsigned short half_of_float(float) noexcept {
  return 0;
}

#endif

}  // namespace warpfiber::detail
