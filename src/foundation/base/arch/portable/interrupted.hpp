// SPDX-License-Identifier: Apache-2.0
// The same on processors whose interrupted state is not read.
#pragma once

#ifndef __x86_64__

#include <ucontext.h>

namespace warpfiber::base {

inline bool writes(const ucontext_t&) {
  return false;
}

inline void* instruction_of(const ucontext_t&) {
  return nullptr;
}

}  // namespace warpfiber::base

#endif
