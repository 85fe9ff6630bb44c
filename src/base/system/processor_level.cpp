// SPDX-License-Identifier: Apache-2.0
// What the compiler's look at the processor leaves out, the instruction cpuid says.
#include "base/system/processor_level.hpp"

#ifdef __x86_64__
#include <cpuid.h>
#endif

namespace warpfiber::base {

#ifdef __x86_64__

namespace {

/// The names that all compilers know; of AVX they say whether the system keeps its registers as well.
unsigned find_level() {
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

}  // namespace

unsigned processor_level() {
  static const unsigned level = find_level();
  return level;
}

#else

unsigned processor_level() {
  return 1;
}

#endif

}  // namespace warpfiber::base
