// SPDX-License-Identifier: Apache-2.0
// Accesses to current_thread as compilers make them, for processors without a folder of their own, and for code of
// libraries.
#pragma once

#include <cstddef>

namespace warpfiber::detail::arch {

/// Compilers would find it again for each use, which in a library may be a call.
template <class Object>
inline __attribute__((always_inline)) Object* current_thread_anew(Object& object) {
  Object* at = &object;
  asm volatile("" : "+r"(at));
  return at;
}

template <std::size_t kOffset>
inline __attribute__((always_inline)) void clear_of_current_thread(volatile bool& member) {
  member = false;
}

template <std::size_t kOffset, class Member>
inline __attribute__((always_inline)) bool is_null_in_current_thread(const Member& member) {
  return member == nullptr;
}

}  // namespace warpfiber::detail::arch
