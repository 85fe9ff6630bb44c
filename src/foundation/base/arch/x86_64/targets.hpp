// SPDX-License-Identifier: Apache-2.0
// Code for some x86-64 only: functions that compilers may use its wider instructions in, and whether it has them.
#pragma once

#ifdef __x86_64__

#define WARPFIBER_TARGET_AVX2 __attribute__((target("avx2")))
#define WARPFIBER_TARGET_CX16 __attribute__((target("cx16")))
#define WARPFIBER_HOST_IS_X86_64 1

namespace warpfiber::base {

inline constexpr bool kIsX86 = true;

inline bool has_avx2() {
  return __builtin_cpu_supports("avx2") != 0;
}

/// A hint for the processor that the thread waits for another.
inline void relax() {
  __builtin_ia32_pause();
}

}  // namespace warpfiber::base

#endif
