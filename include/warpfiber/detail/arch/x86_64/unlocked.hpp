// SPDX-License-Identifier: Apache-2.0
// xadd and cmpxchg, of 4 and 8 bytes.
#pragma once

namespace warpfiber::detail::arch {

inline constexpr bool kHasUnlockedUpdates = true;

/// Adds `value` and returns what was there before.
template <class T>
inline __attribute__((always_inline)) T unlocked_add(T* address, T value) {
  asm volatile("xadd %0, %1" : "+r"(value), "+m"(*address) : : "cc");
  return value;
}

/// Stores `value` if `old` is there, else writes what is there to `old`.
template <class T, class Bits>
inline __attribute__((always_inline)) bool unlocked_compare_exchange(T* address, Bits& old, Bits value) {
  bool stored;
  asm volatile("cmpxchg %3, %1" : "+a"(old), "+m"(*address), "=@ccz"(stored) : "r"(value));
  return stored;
}

}  // namespace warpfiber::detail::arch
