// SPDX-License-Identifier: Apache-2.0
// What a signal has interrupted.
#pragma once

#ifdef __x86_64__

#include <ucontext.h>

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

}  // namespace warpfiber::base

#endif
