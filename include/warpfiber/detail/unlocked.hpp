// SPDX-License-Identifier: Apache-2.0
// Atomics of the running block's shared memory. All blocks that can reach it run on the same OS thread, so nothing but
// a preemption comes in between, and that never within one instruction: the bus need not be locked, which is most of
// what an atomic costs. Used by atomics.hpp. A checked program's atomics stay what its hooks know, and those of regions
// what compilers know.
#pragma once

#include <warpfiber/detail/arch/unlocked.hpp>
#include <warpfiber/detail/current_thread.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace warpfiber::detail {

/// Whether `address` is in the shared memory of the running block; false outside of kernels.
inline WARPFIBER_AT_CALLER bool is_ours_alone(const volatile void* address) {
  const CurrentThread& current = current_thread;
  return static_cast<std::size_t>(static_cast<const volatile char*>(address) - current.shared) < current.shared_bytes;
}

template <class T>
inline constexpr bool kHasUnlocked =
    arch::kHasUnlockedUpdates && !kHasHooks && !kRunsAsRegions && (sizeof(T) == 4 || sizeof(T) == 8);

/// Adds `value` and returns what stood there.
template <class T>
inline __attribute__((always_inline)) T unlocked_add(T* address, T value) {
  return arch::unlocked_add(address, value);
}

/// Stores `value` if the bits of `expected` stand there, else puts what does into `expected`.
template <class T>
inline __attribute__((always_inline)) bool unlocked_compare_exchange(T* address, T& expected, T value) {
  using Bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
  Bits old = __builtin_bit_cast(Bits, expected);
  const bool stored = arch::unlocked_compare_exchange(address, old, __builtin_bit_cast(Bits, value));
  expected = __builtin_bit_cast(T, old);
  return stored;
}

}  // namespace warpfiber::detail
