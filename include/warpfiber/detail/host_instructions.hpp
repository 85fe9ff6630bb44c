// SPDX-License-Identifier: Apache-2.0
// Instructions that compilers may not take for granted on x86-64 and nearly every processor has: fused multiply-add,
// conversions of half precision, counting of bits. Without them a kernel calls a function or computes in integers, for
// ten times as long. Invariant: what is behind such an instruction has the same result without it, bit for bit. Used by
// the headers of mathematics; a call must not be evaluated by the compiler.
#pragma once

#include <warpfiber/detail/arch/host_instructions.hpp>
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

inline __attribute__((always_inline)) bool has_fma() noexcept {
  if constexpr (!arch::kMayHaveInstructions) return false;
  if constexpr (kRunsAsRegions || arch::kAlwaysHasFma) return true;
  return __builtin_expect(host_instructions.fma, true);
}
inline __attribute__((always_inline)) bool has_f16c() noexcept {
  if constexpr (kRunsAsRegions || !arch::kMayHaveInstructions) return false;
  if constexpr (arch::kAlwaysHasF16c) return true;
  return __builtin_expect(host_instructions.f16c, true);
}

inline __attribute__((always_inline)) float fused(float x, float y, float z) noexcept {
  if constexpr (kRunsAsRegions) return __builtin_fmaf(x, y, z);
  if constexpr (arch::kMayHaveInstructions) {
    if (has_fma()) return arch::fused_multiply_add(x, y, z);
  }
  return fused_by_library(x, y, z);
}
inline __attribute__((always_inline)) double fused(double x, double y, double z) noexcept {
  if constexpr (kRunsAsRegions) return __builtin_fma(x, y, z);
  if constexpr (arch::kMayHaveInstructions) {
    if (has_fma()) return arch::fused_multiply_add(x, y, z);
  }
  return fused_by_library(x, y, z);
}

inline __attribute__((always_inline)) int ones_in(unsigned long long x) noexcept {
  if constexpr (!kRunsAsRegions && arch::kMayHaveInstructions && !arch::kAlwaysHasPopcnt) {
    if (__builtin_expect(host_instructions.popcnt, true)) return arch::population_count(x);
  }
  return __builtin_popcountll(x);
}

/// A number of binary16 that is no NaN as a float, and the other way to nearest even. Only where has_f16c().
inline __attribute__((always_inline)) float float_of_half([[maybe_unused]] unsigned short bits) noexcept {
  if constexpr (arch::kMayHaveInstructions) return arch::half_to_float(bits);
  return 0;
}
inline __attribute__((always_inline)) unsigned short half_of_float([[maybe_unused]] float number) noexcept {
  if constexpr (arch::kMayHaveInstructions) return arch::float_to_half(number);
  return 0;
}

}  // namespace warpfiber::detail
