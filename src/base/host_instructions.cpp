// SPDX-License-Identifier: Apache-2.0
//
// Asks CPUID, once in the process, for fused multiply-add and what else headers use, and whether the system keeps the
// wide registers. Without the instruction, callers use the C library's fma().
#include <warpfiber/detail/host_instructions.hpp>

#include <cmath>

#ifdef __x86_64__
#include <cpuid.h>
#endif

namespace warpfiber::detail {

namespace {

#ifdef __x86_64__

/// Whether the system keeps the wide registers of a thread, which instructions of AVX's form need (Intel SDM,
/// "Detection of AVX Instructions").
bool system_keeps_wide_registers(unsigned features) {
  constexpr unsigned kNeeded = 6;  // the state of SSE and AVX in XCR0
  if ((features & bit_OSXSAVE) == 0) return false;
  unsigned low;
  unsigned high;
  asm volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return (low & kNeeded) == kNeeded;
}

HostInstructions look_up() {
  unsigned a;
  unsigned b;
  unsigned c;
  unsigned d;
  if (__get_cpuid(1, &a, &b, &c, &d) == 0) return {};
  const bool wide = system_keeps_wide_registers(c);
  return {.fma = wide && (c & bit_FMA) != 0, .f16c = wide && (c & bit_F16C) != 0, .popcnt = (c & bit_POPCNT) != 0};
}

#else

HostInstructions look_up() {
  return {};
}

#endif

}  // namespace

const HostInstructions host_instructions = look_up();

float fused_by_library(float x, float y, float z) noexcept {
  return std::fma(x, y, z);
}
double fused_by_library(double x, double y, double z) noexcept {
  return std::fma(x, y, z);
}

}  // namespace warpfiber::detail
