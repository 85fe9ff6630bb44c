// SPDX-License-Identifier: Apache-2.0
// A fiber as the kernels' inlined fast paths see it: the stack a waiting thread lives on, which thread that is, and the
// switch from one to the next.
// Invariants: a fiber belongs to one worker for ever; it stands in at most one list (`next`); the first cache line is
// all that a barrier touches. Only the fast paths of this folder and the engine may write here.
#pragma once

#include <warpfiber/detail/config.hpp>
#include <warpfiber/detail/vector_types.hpp>

#include <cstdint>

namespace warpfiber::detail {

struct Warp;
struct Block;

/// What no barrier needs to know of a fiber.
struct FiberDetails {
  unsigned tool_id = 0;  // valgrind's name for the stack
  char* stack_low = nullptr;
  char* stack_high = nullptr;
  void* note = nullptr;     // engine::SpinNote while the thread lets others run, else null
  void* history = nullptr;  // engine::SpinHistory of the fiber, made when first needed
  std::uint64_t vote = 0;   // on whether the launch is stuck, that was open when the thread last let others run
  unsigned passes = 0;      // how often it has let others run, met others or polled since that vote began
};

struct alignas(64) Fiber {
  void* stack_pointer = nullptr;
  void* resume = nullptr;  // address; unused by the portable switch, as is the next one
  void* frame_pointer = nullptr;
  Fiber* next = nullptr;
  uint3 thread_index{};
  unsigned lane = 0;
  Warp* warp = nullptr;  // null until the fiber's thread has waited
  FiberDetails* more = nullptr;
};
static_assert(sizeof(Fiber) == 64, "a barrier touches one cache line a fiber");

#ifndef WARPFIBER_PORTABLE_SWITCH

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

/// Leaves `from` and enters `to`; comes back when somebody switches to `from`.
/// The function this is inlined into must also contain a call that returns to it (every caller's slow path is one): the
/// compiler then keeps nothing below the stack pointer, where a signal handler would run over it.
inline __attribute__((always_inline)) void switch_stack(Fiber* from, Fiber* to) {
  static_assert(__builtin_offsetof(Fiber, stack_pointer) == 0 && __builtin_offsetof(Fiber, resume) == 8 &&
                __builtin_offsetof(Fiber, frame_pointer) == 16);
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

#else

/// The same through Boost.Context, out of line (src/foundation/fiber/switch_boost.cpp).
void switch_stack(Fiber* from, Fiber* to);

#endif

}  // namespace warpfiber::detail
