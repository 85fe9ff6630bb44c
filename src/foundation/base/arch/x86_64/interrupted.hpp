// SPDX-License-Identifier: Apache-2.0
// What a signal has interrupted.
#pragma once

#ifdef __x86_64__

#include <ucontext.h>

#include <cstddef>
#include <span>

#include "base/arch/x86_64/float_mode.hpp"

// For handlers: qemu before 9.1 enters them with a stack that is aligned to eight bytes only.
#define WARPFIBER_ALIGNS_STACK __attribute__((force_align_arg_pointer))

namespace warpfiber::base {

/// Whether the access that has faulted writes.
inline bool writes(const ucontext_t& context) {
  constexpr greg_t kWriteAccess = 2;  // Intel SDM, "Page-Fault Exception": the error code's W/R bit
  return (context.uc_mcontext.gregs[REG_ERR] & kWriteAccess) != 0;
}

/// Null where it is not known.
inline void* instruction_of(const ucontext_t& context) {
  return reinterpret_cast<void*>(context.uc_mcontext.gregs[REG_RIP]);
}

inline char* stack_of(const ucontext_t& context) {
  return reinterpret_cast<char*>(context.uc_mcontext.gregs[REG_RSP]);
}

/// Where the thread goes on when the handler returns.
inline void go_on_at(ucontext_t& context, const void* instruction) {
  context.uc_mcontext.gregs[REG_RIP] = reinterpret_cast<greg_t>(instruction);
}
inline void go_on_with_stack(ucontext_t& context, void* stack) {
  context.uc_mcontext.gregs[REG_RSP] = reinterpret_cast<greg_t>(stack);
}

/// A handler can send the thread elsewhere, and knows what it has interrupted.
inline constexpr bool kReadsInterrupted = true;
inline constexpr std::size_t kGeneralRegisters = 16;

/// A general register, by its number in instructions.
inline long long* general_register(ucontext_t& context, std::size_t number) {
  constexpr int kPlaces[kGeneralRegisters] = {REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP, REG_RSI, REG_RDI,
                                              REG_R8,  REG_R9,  REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15};
  return &context.uc_mcontext.gregs[kPlaces[number]];
}

/// The general registers up to the instruction pointer; what follows them is noise.
inline std::span<const char> general_state(const ucontext_t& context) {
  return {reinterpret_cast<const char*>(context.uc_mcontext.gregs), (REG_RIP + 1) * sizeof(greg_t)};
}
inline std::span<const char> vector_state(const ucontext_t& context) {
  const auto* const floats = context.uc_mcontext.fpregs;
  if (floats == nullptr) return {};
  return {reinterpret_cast<const char*>(floats->_xmm), sizeof floats->_xmm};
}

/// The controls that the thread computes with, and will when the handler returns.
inline FloatMode float_mode_of(const ucontext_t& context) {
  return {context.uc_mcontext.fpregs->mxcsr & ~kMxcsrFlags, context.uc_mcontext.fpregs->cwd};
}
inline void set_float_mode_of(ucontext_t& context, const FloatMode& mode) {
  _libc_fpstate& kept = *context.uc_mcontext.fpregs;
  kept.cwd = mode.x87;
  kept.mxcsr = mode.mxcsr | (kept.mxcsr & kMxcsrFlags);
}

}  // namespace warpfiber::base

#endif
