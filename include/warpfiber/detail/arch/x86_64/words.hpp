// SPDX-License-Identifier: Apache-2.0
// Compilers call no hook for operands of assembler code.
#pragma once

namespace warpfiber::detail::arch {

inline __attribute__((always_inline)) unsigned unhooked_load(const unsigned& variable) {
  unsigned value;
  asm volatile("movl %1, %0" : "=r"(value) : "m"(variable));
  return value;
}
inline __attribute__((always_inline)) void unhooked_store(unsigned& variable, unsigned value) {
  asm volatile("movl %1, %0" : "=m"(variable) : "ri"(value));
}

/// Code goes on at half of a line of the instruction cache. Where a return leads to the last bytes of one, a call takes
/// a tenth longer.
inline __attribute__((always_inline)) void align_loop() {
  asm volatile(".p2align 5");
}

}  // namespace warpfiber::detail::arch
