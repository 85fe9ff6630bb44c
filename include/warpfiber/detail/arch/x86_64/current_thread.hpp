// SPDX-License-Identifier: Apache-2.0
// The thread-local object with the symbol warpfiber_current_thread, by its place from the thread pointer.
#pragma once

#include <cstddef>

// Where the place is known when the program is linked, it is part of the instructions.
#ifdef WARPFIBER_WHOLE_PROGRAM
#define WARPFIBER_PLACE_OF_CURRENT_THREAD "mov $warpfiber_current_thread@tpoff, %0\n\t"
#else
#define WARPFIBER_PLACE_OF_CURRENT_THREAD "mov warpfiber_current_thread@gottpoff(%%rip), %0\n\t"
#endif

namespace warpfiber::detail::arch {

/// The address of the object, found anew. `object` is the one itself.
template <class Object>
inline __attribute__((always_inline)) Object* current_thread_anew(Object&) {
  Object* at;
  asm volatile(
#ifdef WARPFIBER_WHOLE_PROGRAM
      "mov %%fs:0, %0\n\t"
      "lea warpfiber_current_thread@tpoff(%0), %0"
#else
      "mov %%fs:0, %0\n\t"
      "add warpfiber_current_thread@gottpoff(%%rip), %0"
#endif
      : "=r"(at)
      :
      : "cc");
  return at;
}

/// Clears the object's byte at `kOffset`, which is `member`.
template <std::size_t kOffset>
inline __attribute__((always_inline)) void clear_of_current_thread(volatile bool&) {
  std::size_t place;
  asm volatile(WARPFIBER_PLACE_OF_CURRENT_THREAD "movb $0, %%fs:%c1(%0)" : "=&r"(place) : "i"(kOffset) : "memory");
}

/// Whether the object's pointer at `kOffset`, which is `member`, is null.
template <std::size_t kOffset, class Member>
inline __attribute__((always_inline)) bool is_null_in_current_thread(const Member&) {
  std::size_t place;
  bool is_null;
  asm volatile(WARPFIBER_PLACE_OF_CURRENT_THREAD "cmpq $0, %%fs:%c2(%0)"
               : "=&r"(place), "=@ccz"(is_null)
               : "i"(kOffset)
               : "memory");
  return is_null;
}

}  // namespace warpfiber::detail::arch

#undef WARPFIBER_PLACE_OF_CURRENT_THREAD
