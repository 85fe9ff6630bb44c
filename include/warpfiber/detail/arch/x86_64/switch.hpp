// SPDX-License-Identifier: Apache-2.0
// The switch from one stack to another.
#pragma once

namespace warpfiber::detail::arch {

// The compiler saves exactly what it still needs, because everything is declared clobbered; only the frame pointer,
// which cannot be declared, is kept here. Nothing is pushed: a shallow thread that waits then touches one cache line of
// its stack. The jump is a jump, not a return, so the processor's return stack keeps matching the calls it has seen.
#if defined(__AVX512F__)
#define WARPFIBER_CLOBBER_WIDE                                                                                  \
  , "xmm16", "xmm17", "xmm18", "xmm19", "xmm20", "xmm21", "xmm22", "xmm23", "xmm24", "xmm25", "xmm26", "xmm27", \
      "xmm28", "xmm29", "xmm30", "xmm31", "k1", "k2", "k3", "k4", "k5", "k6", "k7"
#else
#define WARPFIBER_CLOBBER_WIDE
#endif

/// Leaves `from` and enters `to`, objects that begin with a stack pointer, the address where they go on and a frame
/// pointer; returns when a switch to `from` is made.
/// The function this is inlined into must also contain a call that returns to it (every caller's slow path is one): the
/// compiler then keeps nothing below the stack pointer, where a signal handler would run over it.
template <class Switched>
inline __attribute__((always_inline)) void switch_stack(Switched* from, Switched* to) {
  static_assert(__builtin_offsetof(Switched, stack_pointer) == 0 && __builtin_offsetof(Switched, resume) == 8 &&
                __builtin_offsetof(Switched, frame_pointer) == 16);
  asm volatile(
      "lea 1f(%%rip), %%rax\n\t"
      "mov %%rsp, 0(%%rdi)\n\t"
      "mov %%rax, 8(%%rdi)\n\t"
      "mov %%rbp, 16(%%rdi)\n\t"
      "mov 0(%%rsi), %%rsp\n\t"
      "jmp *8(%%rsi)\n"
      "1:\n\t"
      "mov 16(%%rsi), %%rbp\n\t"
      : "+D"(from), "+S"(to)
      :
      : "rax", "rbx", "rcx", "rdx", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15", "memory", "cc", "xmm0",
        "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13",
        "xmm14", "xmm15", "st", "st(1)", "st(2)", "st(3)", "st(4)", "st(5)", "st(6)", "st(7)" WARPFIBER_CLOBBER_WIDE);
}

}  // namespace warpfiber::detail::arch
