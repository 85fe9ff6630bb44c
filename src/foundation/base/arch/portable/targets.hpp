// SPDX-License-Identifier: Apache-2.0
// The same as of x86-64, for processors that have one set of instructions.
#pragma once

#ifndef __x86_64__

#define WARPFIBER_TARGET_AVX2
#define WARPFIBER_TARGET_CX16
#define WARPFIBER_HOST_IS_X86_64 0

namespace warpfiber::base {

inline constexpr bool kIsX86 = false;

inline bool has_avx2() {
  return false;
}

inline void relax() {}

}  // namespace warpfiber::base

#endif
