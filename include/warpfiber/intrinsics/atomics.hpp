// SPDX-License-Identifier: Apache-2.0
//
// CUDA's atomic functions, with the overloads of its device headers and no others (CUDA C++ Programming Guide, "Legacy
// Atomic Functions"). Each of them returns the value that stood in memory before. Kernels and host code may call them.
// Order: relaxed, as on the device; the fences (__threadfence and similar) order other accesses
// around an atomic, and they are fences of the host too. Blocks run on several host threads, and a host thread may take
// part, so the scopes _block and _system are the same operation as the plain one. Invariant: each call reports to the
// engine once, either that memory has changed or that it has not, so that loops that spin on an atomic let other
// threads run. "Changed" is a matter of bits: -0 for +0 is a change.
#pragma once

#include <warpfiber/detail/checked.hpp>
#include <warpfiber/detail/lanes/lanes.hpp>
#include <warpfiber/detail/unlocked.hpp>

namespace warpfiber::detail {

template <class T>
inline bool same_bits(const T& a, const T& b) {
  return __builtin_memcmp(&a, &b, sizeof(T)) == 0;
}

inline void after_atomic(bool changed, const void* address, Site site) {
  if (changed) {
    note_write(address, site);
  } else {
    poll(address, site);
  }
}

template <class T>
inline WARPFIBER_AT_CALLER T fetch_add(T* address, T value, int order) {
  checked_order(order);
  if constexpr (kHasUnlocked<T>) {
    if (order == __ATOMIC_RELAXED && is_ours_alone(address)) return unlocked_add(address, value);
  }
  return __atomic_fetch_add(address, value, order);
}

/// Stores `value` if memory holds `expected`; else loads it into `expected`. May fail although they are equal.
template <class T>
inline WARPFIBER_AT_CALLER bool replace_if(T* address, T& expected, T value, int order) {
  checked_order(order);
  if constexpr (kHasUnlocked<T>) {
    if (order == __ATOMIC_RELAXED && is_ours_alone(address)) return unlocked_compare_exchange(address, expected, value);
  }
  return __atomic_compare_exchange(address, &expected, &value, true, order, __ATOMIC_RELAXED);
}

template <class T>
inline WARPFIBER_AT_CALLER T atomic_add(T* address, T value, Site site, int order = __ATOMIC_RELAXED) {
  [[maybe_unused]] const AtomicUse<T> use;
  const T old = fetch_add(address, value, order);
  after_atomic(value != 0, address, site);
  return checked_found(old, address);
}

template <class T>
inline WARPFIBER_AT_CALLER T atomic_subtract(T* address, T value, Site site, int order = __ATOMIC_RELAXED) {
  [[maybe_unused]] const AtomicUse<T> use;
  const T old = fetch_add(address, static_cast<T>(0 - value), order);
  after_atomic(value != 0, address, site);
  return checked_found(old, address);
}

template <class T>
inline WARPFIBER_AT_CALLER T atomic_and(T* address, T value, Site site, int order = __ATOMIC_RELAXED) {
  [[maybe_unused]] const AtomicUse<T> use;
  checked_order(order);
  const T old = __atomic_fetch_and(address, value, order);
  after_atomic((old & value) != old, address, site);
  return checked_found(old, address);
}

template <class T>
inline WARPFIBER_AT_CALLER T atomic_or(T* address, T value, Site site, int order = __ATOMIC_RELAXED) {
  [[maybe_unused]] const AtomicUse<T> use;
  checked_order(order);
  const T old = __atomic_fetch_or(address, value, order);
  after_atomic((old | value) != old, address, site);
  return checked_found(old, address);
}

template <class T>
inline WARPFIBER_AT_CALLER T atomic_xor(T* address, T value, Site site, int order = __ATOMIC_RELAXED) {
  [[maybe_unused]] const AtomicUse<T> use;
  checked_order(order);
  const T old = __atomic_fetch_xor(address, value, order);
  after_atomic(value != 0, address, site);
  return checked_found(old, address);
}

inline bool is_subnormal(float number) {
  return (__builtin_bit_cast(unsigned, number) & 0x7fffffffU) - 1 < 0x007fffffU;
}

/// The sum where one of the numbers or the sum is subnormal (src/execution/intrinsics/subnormal_sum.cpp).
float subnormal_sum(float old, float value, const void* address);

// What hosts have no instruction for: the word that follows `old` at `address`.
struct Sum {
  static float next(float old, float value, const void* address) {
    const float sum = old + value;
    const bool plain = !is_subnormal(old) && !is_subnormal(value) && !is_subnormal(sum);
    return WARPFIBER_LIKELY(plain) ? sum : subnormal_sum(old, value, address);
  }
  static double next(double old, double value, const void*) { return old + value; }
};
/// The device adds 0 - value, so that -0 less 0 is +0 (measured on an H200).
struct Difference {
  template <class T>
  static T next(T old, T value, const void* address) {
    return Sum::next(old, 0 - value, address);
  }
};
struct Smaller {
  template <class T>
  static T next(T old, T value, const void*) {
    return value < old ? value : old;
  }
};
struct Larger {
  template <class T>
  static T next(T old, T value, const void*) {
    return value > old ? value : old;
  }
};
struct IncrementOrZero {
  static unsigned next(unsigned old, unsigned last, const void*) { return old >= last ? 0 : old + 1; }
};
struct DecrementOrLast {
  static unsigned next(unsigned old, unsigned last, const void*) { return old == 0 || old > last ? last : old - 1; }
};

/// Of regions: what a compiler knows, or one call. A loop here would look like one of the kernel's that waits.
template <class Next, class T>
inline constexpr bool kHasOneCall = (std::is_integral_v<T> && sizeof(T) >= 4) || std::is_floating_point_v<T>;

template <class Next, class T>
inline T update_by_one_call(T* address, T value, int order) {
  checked_order(order);
  constexpr bool kSum = std::is_same_v<Next, Sum>;
  if constexpr (std::is_same_v<Next, Smaller>) {
    return __atomic_fetch_min(address, value, order);
  } else if constexpr (std::is_same_v<Next, Larger>) {
    return __atomic_fetch_max(address, value, order);
  } else if constexpr (std::is_same_v<Next, IncrementOrZero>) {
    return warpfiber_regions_plain_increment(address, value);
  } else if constexpr (std::is_same_v<Next, DecrementOrLast>) {
    return warpfiber_regions_plain_decrement(address, value);
  } else if constexpr (std::is_same_v<T, float>) {
    return warpfiber_regions_plain_add_float(address, kSum ? value : 0 - value);
  } else {
    return __atomic_fetch_add(address, kSum ? value : 0 - value, order);
  }
}

/// Puts Next::next(old, value, address) where `old` is. A relaxed one that would change nothing only reads.
template <class Next, class T>
inline WARPFIBER_AT_CALLER T atomic_update(T* address, T value, Site site, int order = __ATOMIC_RELAXED) {
  if constexpr (kRunsAsRegions && kHasOneCall<Next, T>) return update_by_one_call<Next>(address, value, order);
  [[maybe_unused]] const AtomicUse<T> use;
  T old;
  __atomic_load(address, &old, __ATOMIC_RELAXED);
  for (;;) {
    T now = Next::next(old, value, address);
    const bool changed = !same_bits(old, now);
    if ((!changed && order == __ATOMIC_RELAXED) || replace_if(address, old, now, order)) {
      after_atomic(changed, address, site);
      return checked_found(old, address);
    }
  }
}

// Vectors: every element is an atomic of its own, the whole is not (Programming Guide, same section).
inline WARPFIBER_AT_CALLER float2 atomic_add_elements(float2* address, float2 value, Site site) {
  return {atomic_update<Sum>(&address->x, value.x, site), atomic_update<Sum>(&address->y, value.y, site)};
}
inline WARPFIBER_AT_CALLER float4 atomic_add_elements(float4* address, float4 value, Site site) {
  return {atomic_update<Sum>(&address->x, value.x, site), atomic_update<Sum>(&address->y, value.y, site),
          atomic_update<Sum>(&address->z, value.z, site), atomic_update<Sum>(&address->w, value.w, site)};
}

template <class T>
inline WARPFIBER_AT_CALLER T atomic_exchange(T* address, T value, Site site, int order = __ATOMIC_RELAXED) {
  checked_order(order);
  T old;
  __atomic_exchange(address, &value, &old, order);
  after_atomic(!same_bits(old, value), address, site);
  return old;
}

template <class T>
inline WARPFIBER_AT_CALLER T atomic_compare_exchange(T* address, T expected, T value, Site site,
                                                     int order = __ATOMIC_RELAXED) {
  checked_order(order);
  const bool acquires = order != __ATOMIC_RELAXED && order != __ATOMIC_RELEASE;
  const int failed = acquires ? __ATOMIC_ACQUIRE : __ATOMIC_RELAXED;
  T old = expected;
  bool stored = false;
  if constexpr (kHasUnlocked<T>) {
    stored = order == __ATOMIC_RELAXED && is_ours_alone(address)
                 ? unlocked_compare_exchange(address, old, value)
                 : __atomic_compare_exchange_n(address, &old, value, false, order, failed);
  } else {
    stored = __atomic_compare_exchange_n(address, &old, value, false, order, failed);
  }
  after_atomic(stored && old != value, address, site);
  return old;
}

/// The bits of a 16-byte object.
struct alignas(16) WideBits {
  unsigned long long low, high;
};

/// What the 128-bit forms take (Programming Guide, atomicCAS(), atomicExch()).
template <class T>
concept WideWord = sizeof(T) == 16 && alignof(T) >= 16 && __is_trivially_copyable(T);

/// Stores `value` if memory holds `expected`, and returns the old value; sequentially consistent
/// (src/execution/intrinsics/wide_atomics.cpp).
WideBits compare_exchange_wide(void* address, WideBits expected, WideBits value);
WideBits exchange_wide(void* address, WideBits value);

template <WideWord T>
inline WARPFIBER_AT_CALLER T atomic_exchange_wide(T* address, const T& value, Site site) {
  const WideBits bits = __builtin_bit_cast(WideBits, value);
  const WideBits old = exchange_wide(address, bits);
  after_atomic(!same_bits(old, bits), address, site);
  return __builtin_bit_cast(T, old);
}

template <WideWord T>
inline WARPFIBER_AT_CALLER T atomic_compare_exchange_wide(T* address, const T& expected, const T& value, Site site) {
  const WideBits bits = __builtin_bit_cast(WideBits, value);
  const WideBits old = compare_exchange_wide(address, __builtin_bit_cast(WideBits, expected), bits);
  after_atomic(same_bits(old, __builtin_bit_cast(WideBits, expected)) && !same_bits(old, bits), address, site);
  return __builtin_bit_cast(T, old);
}

}  // namespace warpfiber::detail

// One function of CUDA's for one type, in its three scopes.
#define WARPFIBER_ATOMIC_SCOPE(name, scope, operation, T)                                                             \
  inline WARPFIBER_AT_CALLER T name(T* address, T val, warpfiber::Site site = warpfiber::Site::here()) {              \
    [[maybe_unused]] const ::warpfiber::detail::AtomicScope checked_as(::warpfiber::detail::checked_##scope##_scope); \
    return warpfiber::detail::operation(address, val, site);                                                          \
  }
#define WARPFIBER_ATOMIC(name, operation, T)                \
  WARPFIBER_ATOMIC_SCOPE(name, device, operation, T)        \
  WARPFIBER_ATOMIC_SCOPE(name##_block, block, operation, T) \
  WARPFIBER_ATOMIC_SCOPE(name##_system, system, operation, T)
#define WARPFIBER_ATOMIC_32(name, operation) \
  WARPFIBER_ATOMIC(name, operation, int)     \
  WARPFIBER_ATOMIC(name, operation, unsigned int)
#define WARPFIBER_ATOMIC_32_64(name, operation) \
  WARPFIBER_ATOMIC_32(name, operation)          \
  WARPFIBER_ATOMIC(name, operation, long long)  \
  WARPFIBER_ATOMIC(name, operation, unsigned long long)

/// Adds `val`. Integers wrap around. Floating-point sums are rounded to nearest even. Sums of floats outside shared
/// memory take subnormal numbers for zeroes of their sign, as an H200 does (docs/semantics.md, "Atomics").
WARPFIBER_ATOMIC_32(atomicAdd, atomic_add)
WARPFIBER_ATOMIC(atomicAdd, atomic_add, unsigned long long)
WARPFIBER_ATOMIC(atomicAdd, atomic_update<warpfiber::detail::Sum>, float)
WARPFIBER_ATOMIC(atomicAdd, atomic_update<warpfiber::detail::Sum>, double)
WARPFIBER_ATOMIC(atomicAdd, atomic_add_elements, float2)
WARPFIBER_ATOMIC(atomicAdd, atomic_add_elements, float4)

/// Subtracts `val`; wraps around.
WARPFIBER_ATOMIC_32(atomicSub, atomic_subtract)

/// Stores `val`.
WARPFIBER_ATOMIC_32(atomicExch, atomic_exchange)
WARPFIBER_ATOMIC(atomicExch, atomic_exchange, unsigned long long)
WARPFIBER_ATOMIC(atomicExch, atomic_exchange, float)

/// Stores `val` if it is smaller, or larger.
WARPFIBER_ATOMIC_32_64(atomicMin, atomic_update<warpfiber::detail::Smaller>)
WARPFIBER_ATOMIC_32_64(atomicMax, atomic_update<warpfiber::detail::Larger>)

/// Counts up to `val` and then from 0: stores old >= val ? 0 : old + 1.
WARPFIBER_ATOMIC(atomicInc, atomic_update<warpfiber::detail::IncrementOrZero>, unsigned int)
/// Counts down to 0 and then from `val`: stores old == 0 || old > val ? val : old - 1.
WARPFIBER_ATOMIC(atomicDec, atomic_update<warpfiber::detail::DecrementOrLast>, unsigned int)

/// Stores old & val, old | val, old ^ val.
WARPFIBER_ATOMIC_32_64(atomicAnd, atomic_and)
WARPFIBER_ATOMIC_32_64(atomicOr, atomic_or)
WARPFIBER_ATOMIC_32_64(atomicXor, atomic_xor)

#undef WARPFIBER_ATOMIC_32_64
#undef WARPFIBER_ATOMIC_32
#undef WARPFIBER_ATOMIC
#undef WARPFIBER_ATOMIC_SCOPE

#define WARPFIBER_ATOMIC_CAS(name, reach, T)                                                                          \
  inline WARPFIBER_AT_CALLER T name(T* address, T compare, T val, warpfiber::Site site = warpfiber::Site::here()) {   \
    [[maybe_unused]] const ::warpfiber::detail::AtomicScope checked_as(::warpfiber::detail::checked_##reach##_scope); \
    return warpfiber::detail::atomic_compare_exchange(address, compare, val, site);                                   \
  }
#define WARPFIBER_ATOMIC_WIDE(scope)                                                                                  \
  template <warpfiber::detail::WideWord T>                                                                            \
  inline WARPFIBER_AT_CALLER T atomicCAS##scope(T* address, T compare, T val,                                         \
                                                warpfiber::Site site = warpfiber::Site::here()) {                     \
    return warpfiber::detail::atomic_compare_exchange_wide(address, compare, val, site);                              \
  }                                                                                                                   \
  template <warpfiber::detail::WideWord T>                                                                            \
  inline WARPFIBER_AT_CALLER T atomicExch##scope(T* address, T val, warpfiber::Site site = warpfiber::Site::here()) { \
    return warpfiber::detail::atomic_exchange_wide(address, val, site);                                               \
  }
#define WARPFIBER_ATOMIC_SCOPES(scope, reach)                       \
  WARPFIBER_ATOMIC_CAS(atomicCAS##scope, reach, int)                \
  WARPFIBER_ATOMIC_CAS(atomicCAS##scope, reach, unsigned int)       \
  WARPFIBER_ATOMIC_CAS(atomicCAS##scope, reach, unsigned long long) \
  WARPFIBER_ATOMIC_WIDE(scope)

/// Stores `val` if memory holds `compare`; of 16-byte types all bits are compared. CUDA has no scopes for 16 bits.
WARPFIBER_ATOMIC_SCOPES(, device)
WARPFIBER_ATOMIC_SCOPES(_block, block)
WARPFIBER_ATOMIC_SCOPES(_system, system)
WARPFIBER_ATOMIC_CAS(atomicCAS, device, unsigned short)

#undef WARPFIBER_ATOMIC_SCOPES
#undef WARPFIBER_ATOMIC_WIDE
#undef WARPFIBER_ATOMIC_CAS
