// SPDX-License-Identifier: Apache-2.0
// The same on processors whose interrupted state is not read.
#pragma once

#ifndef __x86_64__

#include <ucontext.h>

#include <cstddef>
#include <span>

#include "base/arch/portable/float_mode.hpp"

#define WARPFIBER_ALIGNS_STACK

namespace warpfiber::base {

inline bool writes(const ucontext_t&) {
  return false;
}

inline void* instruction_of(const ucontext_t&) {
  return nullptr;
}

inline char* stack_of(const ucontext_t&) {
  return nullptr;
}

inline void go_on_at(ucontext_t&, const void*) {}
inline void go_on_with_stack(ucontext_t&, void*) {}

inline constexpr bool kReadsInterrupted = false;
inline constexpr std::size_t kGeneralRegisters = 0;

inline long long* general_register(ucontext_t&, std::size_t) {
  return nullptr;
}

inline std::span<const char> general_state(const ucontext_t&) {
  return {};
}
inline std::span<const char> vector_state(const ucontext_t&) {
  return {};
}

inline FloatMode float_mode_of(const ucontext_t&) {
  return {};
}
inline void set_float_mode_of(ucontext_t&, const FloatMode&) {}

}  // namespace warpfiber::base

#endif
