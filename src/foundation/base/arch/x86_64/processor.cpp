// SPDX-License-Identifier: Apache-2.0
//
// Asks CPUID for fused multiply-add and what else headers use, whether the system keeps the wide registers, and for the
// level of the ABI, where the compiler's look at the processor leaves out what cpuid says.
#ifdef __x86_64__

#include <cpuid.h>

#include "base/arch/processor.hpp"

namespace warpfiber::base {
namespace {

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

}  // namespace

detail::HostInstructions find_host_instructions() {
  unsigned a;
  unsigned b;
  unsigned c;
  unsigned d;
  if (__get_cpuid(1, &a, &b, &c, &d) == 0) return {};
  const bool wide = system_keeps_wide_registers(c);
  return {.fma = wide && (c & bit_FMA) != 0, .f16c = wide && (c & bit_F16C) != 0, .popcnt = (c & bit_POPCNT) != 0};
}

/// The names that all compilers know; of AVX they say whether the system keeps its registers as well.
unsigned find_processor_level() {
  unsigned a = 0;
  unsigned b = 0;
  unsigned c = 0;
  unsigned d = 0;
  constexpr unsigned kCx16 = 1U << 13;
  constexpr unsigned kMovbe = 1U << 22;
  constexpr unsigned kF16c = 1U << 29;
  constexpr unsigned kLahf = 1U << 0;
  constexpr unsigned kLzcnt = 1U << 5;
  constexpr unsigned kExtended = 0x80000001;
  if (__get_cpuid(1, &a, &b, &c, &d) == 0) return 1;
  const unsigned basic = c;
  if (__get_cpuid(kExtended, &a, &b, &c, &d) == 0) return 1;
  const unsigned extended = c;
  const bool words = (basic & kCx16) != 0 && (extended & kLahf) != 0 && __builtin_cpu_supports("popcnt") != 0;
  if (!words || __builtin_cpu_supports("ssse3") == 0 || __builtin_cpu_supports("sse4.2") == 0) return 1;
  const bool bits = (basic & kMovbe) != 0 && (extended & kLzcnt) != 0 && __builtin_cpu_supports("bmi") != 0 &&
                    __builtin_cpu_supports("bmi2") != 0;
  const bool wide = __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0 && (basic & kF16c) != 0;
  if (!bits || !wide) return 2;
  const bool wider = __builtin_cpu_supports("avx512f") != 0 && __builtin_cpu_supports("avx512bw") != 0 &&
                     __builtin_cpu_supports("avx512cd") != 0 && __builtin_cpu_supports("avx512dq") != 0 &&
                     __builtin_cpu_supports("avx512vl") != 0;
  return wider ? 4 : 3;
}

}  // namespace warpfiber::base

#endif
