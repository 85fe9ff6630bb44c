// SPDX-License-Identifier: Apache-2.0
// What cuda::atomic and cuda::atomic_ref do to the object they hold or name: one operation on a trivially copyable
// object of any size, with a memory order known at run time at the latest. Kernels and host code may call them.
// Objects of 1, 2, 4, 8 and (aligned) 16 bytes take the host's instructions, all others a lock of the library.
// Invariant: as in atomics.hpp, each operation notifies the engine once whether memory has changed.
#pragma once

#include <warpfiber/intrinsics/nv_atomics.hpp>

#include <atomic>
#include <cstddef>
#include <type_traits>

namespace warpfiber::detail {

/// Keeps all other holders of a lock of the same object out. Whoever holds one is not preempted.
class ObjectLock {
 public:
  explicit ObjectLock(const void* object);
  ~ObjectLock();
  ObjectLock(const ObjectLock&) = delete;
  ObjectLock& operator=(const ObjectLock&) = delete;

 private:
  std::size_t index_;
  bool was_busy_;
};

/// A thread of the host that waits for memory to change lets the OS run others; a thread of a kernel does nothing, for
/// it has let others run when it read the memory (src/execution/intrinsics/locked_atomics.cpp).
void pause_on_host();

inline int order_of_load(std::memory_order order) {
  if (order == std::memory_order_acq_rel) return __ATOMIC_ACQUIRE;
  return order == std::memory_order_release ? __ATOMIC_RELAXED : static_cast<int>(order);
}

inline int order_of_store(std::memory_order order) {
  if (order == std::memory_order_acq_rel) return __ATOMIC_RELEASE;
  return order == std::memory_order_acquire || order == std::memory_order_consume ? __ATOMIC_RELAXED
                                                                                  : static_cast<int>(order);
}

/// Whether objects of type T take a lock.
template <class T>
inline constexpr bool kLocked =
    !(sizeof(T) == 1 || sizeof(T) == 2 || sizeof(T) == 4 || sizeof(T) == 8 || (sizeof(T) == 16 && alignof(T) >= 16));

// What the lock is held for; to the checker it is no plain access.
template <class T>
inline WARPFIBER_UNCHECKED T locked_load(const T* address) {
  return *address;
}
template <class T>
inline WARPFIBER_UNCHECKED void locked_store(T* address, const T& value) {
  *address = value;
}

template <class T>
inline WARPFIBER_AT_CALLER T object_load(T* address, std::memory_order order, Site site) {
  if constexpr (kLocked<T>) {
    poll(address, site);
    const ObjectLock lock(address);
    return locked_load(address);
  } else {
    return ordered_load(address, order_of_load(order), site);
  }
}

template <class T>
inline WARPFIBER_AT_CALLER T object_exchange(T* address, const T& value, std::memory_order order, Site site) {
  if constexpr (kLocked<T>) {
    T old = value;
    {
      const ObjectLock lock(address);
      old = locked_load(address);
      locked_store(address, value);
    }
    after_atomic(!same_bits(old, value), address, site);
    return old;
  } else {
    return ordered_exchange(address, value, static_cast<int>(order), site);
  }
}

template <class T>
inline WARPFIBER_AT_CALLER bool object_compare_exchange(T* address, T* expected, const T& value,
                                                        std::memory_order success, std::memory_order failure,
                                                        Site site) {
  if constexpr (kLocked<T>) {
    bool stored = false;
    bool changed = false;
    {
      const ObjectLock lock(address);
      const T old = locked_load(address);
      stored = same_bits(old, *expected);
      changed = stored && !same_bits(old, value);
      if (stored) {
        locked_store(address, value);
      } else {
        *expected = old;
      }
    }
    after_atomic(changed, address, site);
    return stored;
  } else {
    return ordered_compare_exchange(address, expected, value, static_cast<int>(success), static_cast<int>(failure),
                                    site);
  }
}

/// Puts next(old) where `old` is and returns `old`.
template <class T, class Next>
inline WARPFIBER_AT_CALLER T object_update(T* address, Next next, Site site) {
  T old = object_load(address, std::memory_order_relaxed, site);
  while (!object_compare_exchange(address, &old, static_cast<T>(next(old)), std::memory_order_seq_cst,
                                  std::memory_order_relaxed, site)) {
  }
  return old;
}

/// Integers for which the host has instructions.
template <class T>
inline constexpr bool kPlainInteger = kIsInteger<T> && !std::is_same_v<T, bool> && sizeof(T) <= 8;

template <class T>
inline WARPFIBER_AT_CALLER T object_add(T* address, T value, std::memory_order order, Site site) {
  if constexpr (kPlainInteger<T> || kIsOneOf<T, float, double>) {
    return ordered_add(address, value, static_cast<int>(order), site);
  } else {
    return object_update(
        address, [value](T old) { return old + value; }, site);
  }
}

template <class T>
inline WARPFIBER_AT_CALLER T object_subtract(T* address, T value, std::memory_order order, Site site) {
  if constexpr (kPlainInteger<T>) {
    return atomic_subtract(address, value, site, static_cast<int>(order));
  } else if constexpr (kIsOneOf<T, float, double>) {
    return object_add(address, -value, order, site);  // the device has no subtraction; libcu++ does the same
  } else {
    return object_update(
        address, [value](T old) { return old - value; }, site);
  }
}

template <class T>
inline WARPFIBER_AT_CALLER T object_and(T* address, T value, std::memory_order order, Site site) {
  if constexpr (kPlainInteger<T>) {
    return atomic_and(address, value, site, static_cast<int>(order));
  } else {
    return object_update(
        address, [value](T old) { return old & value; }, site);
  }
}

template <class T>
inline WARPFIBER_AT_CALLER T object_or(T* address, T value, std::memory_order order, Site site) {
  if constexpr (kPlainInteger<T>) {
    return atomic_or(address, value, site, static_cast<int>(order));
  } else {
    return object_update(
        address, [value](T old) { return old | value; }, site);
  }
}

template <class T>
inline WARPFIBER_AT_CALLER T object_xor(T* address, T value, std::memory_order order, Site site) {
  if constexpr (kPlainInteger<T>) {
    return atomic_xor(address, value, site, static_cast<int>(order));
  } else {
    return object_update(
        address, [value](T old) { return old ^ value; }, site);
  }
}

template <class T>
inline WARPFIBER_AT_CALLER T object_smaller(T* address, T value, Site site) {
  return object_update(
      address, [value](T old) { return value < old ? value : old; }, site);
}

template <class T>
inline WARPFIBER_AT_CALLER T object_larger(T* address, T value, Site site) {
  return object_update(
      address, [value](T old) { return old < value ? value : old; }, site);
}

template <class T>
inline WARPFIBER_AT_CALLER T* object_move(T** address, std::ptrdiff_t by, Site site) {
  return object_update(
      address, [by](T* old) { return old + by; }, site);
}

/// Returns when memory no longer holds `old`.
template <class T>
inline WARPFIBER_AT_CALLER void object_wait(T* address, const T& old, std::memory_order order, Site site) {
  while (same_bits(object_load(address, order, site), old)) pause_on_host();
}

/// Orders the caller's memory accesses for the threads of a scope.
inline void scoped_fence(std::memory_order order, bool within_block, Site site) {
  checked_meets_some();
  if (within_block) {
    block_fence(static_cast<int>(order));
  } else {
    __atomic_thread_fence(static_cast<int>(order));
  }
  poll(nullptr, site);
}

}  // namespace warpfiber::detail
