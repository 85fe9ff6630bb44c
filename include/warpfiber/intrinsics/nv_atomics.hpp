// SPDX-License-Identifier: Apache-2.0
//
// CUDA's atomic functions with a memory order and a scope, __nv_atomic_*, of CUDA 12.8 and later, for the types nvcc
// takes (CUDA C++ Programming Guide, "Built-in Atomic Functions"). Kernels and host code may call them.
// Order: the host's atomics carry the order asked for, and never less. Orders and scopes are constants, and a wrong one
// does not compile. Blocks run on several host threads, and a host thread may take part, so every scope is the host's.
// Invariant: as in atomics.hpp, each operation reports to the engine once whether memory has changed. A store therefore
// looks at what it replaces.
#pragma once

#include <warpfiber/intrinsics/atomics.hpp>

#include <type_traits>

/// Memory orders, with the numbers of nvcc's headers, which are the host compilers' too.
enum {
  __NV_ATOMIC_RELAXED,
  __NV_ATOMIC_CONSUME,
  __NV_ATOMIC_ACQUIRE,
  __NV_ATOMIC_RELEASE,
  __NV_ATOMIC_ACQ_REL,
  __NV_ATOMIC_SEQ_CST
};

/// Thread scopes.
enum {
  __NV_THREAD_SCOPE_THREAD,
  __NV_THREAD_SCOPE_BLOCK,
  __NV_THREAD_SCOPE_CLUSTER,
  __NV_THREAD_SCOPE_DEVICE,
  __NV_THREAD_SCOPE_SYSTEM
};

static_assert(__NV_ATOMIC_RELAXED == __ATOMIC_RELAXED && __NV_ATOMIC_CONSUME == __ATOMIC_CONSUME &&
              __NV_ATOMIC_ACQUIRE == __ATOMIC_ACQUIRE && __NV_ATOMIC_RELEASE == __ATOMIC_RELEASE &&
              __NV_ATOMIC_ACQ_REL == __ATOMIC_ACQ_REL && __NV_ATOMIC_SEQ_CST == __ATOMIC_SEQ_CST);

namespace warpfiber::detail {

// Never defined: a constant that needs one of them is an error, and the compiler prints its name.
void invalid_memory_order_for_atomic_operations();
void invalid_thread_scope_for_atomic_operations();
void memory_order_of_atomic_load_cannot_be_release_or_acq_rel();
void memory_order_of_atomic_store_cannot_be_consume_acquire_or_acq_rel();

/// A memory order known to the compiler.
struct MemoryOrder {
  consteval MemoryOrder(int order) : value(order) {
    if (order < __NV_ATOMIC_RELAXED || order > __NV_ATOMIC_SEQ_CST) invalid_memory_order_for_atomic_operations();
  }
  int value;
};

struct LoadOrder : MemoryOrder {
  consteval LoadOrder(int order) : MemoryOrder(order) {
    if (order == __NV_ATOMIC_RELEASE || order == __NV_ATOMIC_ACQ_REL) {
      memory_order_of_atomic_load_cannot_be_release_or_acq_rel();
    }
  }
};

struct StoreOrder : MemoryOrder {
  consteval StoreOrder(int order) : MemoryOrder(order) {
    if (order == __NV_ATOMIC_CONSUME || order == __NV_ATOMIC_ACQUIRE || order == __NV_ATOMIC_ACQ_REL) {
      memory_order_of_atomic_store_cannot_be_consume_acquire_or_acq_rel();
    }
  }
};

struct ThreadScope {
  consteval ThreadScope(int scope) : value(scope) {
    if (scope < __NV_THREAD_SCOPE_THREAD || scope > __NV_THREAD_SCOPE_SYSTEM) {
      invalid_thread_scope_for_atomic_operations();
    }
  }
  int value;
};

// std::is_integral knows the 128-bit integers in the GNU dialects only.
__extension__ typedef __int128 SignedWide;
__extension__ typedef unsigned __int128 UnsignedWide;
template <class T>
inline constexpr bool kIsInteger =
    std::is_integral_v<T> || std::is_same_v<T, SignedWide> || std::is_same_v<T, UnsignedWide>;

template <class T, class... Others>
inline constexpr bool kIsOneOf = (std::is_same_v<T, Others> || ...);

/// Valid on objects of 1, 2, 4, 8 or 16 bytes.
template <class T>
concept AtomicObject = !std::is_const_v<T> && !std::is_volatile_v<T> && __is_trivially_copyable(T) &&
                       (sizeof(T) == 1 || sizeof(T) == 2 || sizeof(T) == 4 || sizeof(T) == 8 || sizeof(T) == 16);
/// Exchange is valid on objects of 4, 8 or 16 bytes.
template <class T>
concept ExchangeableObject = AtomicObject<T> &&(sizeof(T) >= 4);
/// Compare-and-exchange is valid on objects of 2, 4, 8 or 16 bytes.
template <class T>
concept ComparableObject = AtomicObject<T> &&(sizeof(T) >= 2);
/// The functions whose names end in _n are valid on integral types only.
template <class T>
concept Integral = kIsInteger<T>;
/// And, or, xor, min and max are valid on integers of 4 or 8 bytes.
template <class T>
concept BitwiseWord = kIsOneOf<T, int, unsigned, long, unsigned long, long long, unsigned long long>;
/// Add and sub are valid on those, except signed ones of 8 bytes, and on float and double.
template <class T>
concept ArithmeticWord = (BitwiseWord<T> && (sizeof(T) == 4 || std::is_unsigned_v<T>)) || kIsOneOf<T, float, double>;

/// A parameter that converts to the type stored and takes no part in deducing it.
template <class T>
using Operand = std::type_identity_t<T>;

// The machine word of a size. Objects of every type are accessed through it, hence the attribute.
template <std::size_t kSize>
struct Word;
#define WARPFIBER_WORD(T)                                                          \
  template <>                                                                      \
  struct Word<sizeof(T)> {                                                         \
    using Bits = T;                                                                \
    typedef T Anything __attribute__((__may_alias__));                             \
    static Anything* at(void* address) { return static_cast<Anything*>(address); } \
  };
WARPFIBER_WORD(unsigned char)
WARPFIBER_WORD(unsigned short)
WARPFIBER_WORD(unsigned int)
WARPFIBER_WORD(unsigned long long)
#undef WARPFIBER_WORD

// The 128-bit operations are sequentially consistent whatever the order.
template <class T>
inline WARPFIBER_AT_CALLER T ordered_load(T* address, int order, Site site) {
  poll(address, site);
  if constexpr (sizeof(T) == 16) {
    return __builtin_bit_cast(T, compare_exchange_wide(address, WideBits{}, WideBits{}));
  } else {
    return __builtin_bit_cast(T, __atomic_load_n(Word<sizeof(T)>::at(address), order));
  }
}

template <class T>
inline WARPFIBER_AT_CALLER T ordered_exchange(T* address, const T& value, int order, Site site) {
  checked_order(order);
  if constexpr (sizeof(T) == 16) {
    const auto bits = __builtin_bit_cast(WideBits, value);
    const WideBits old = exchange_wide(address, bits);
    after_atomic(!same_bits(old, bits), address, site);
    return __builtin_bit_cast(T, old);
  } else {
    const auto bits = __builtin_bit_cast(typename Word<sizeof(T)>::Bits, value);
    const auto old = __atomic_exchange_n(Word<sizeof(T)>::at(address), bits, order);
    after_atomic(old != bits, address, site);
    return __builtin_bit_cast(T, old);
  }
}

/// Stores `value` and returns true if memory holds `*expected`; else loads it into `*expected` and returns false.
/// The orders matter to checked programs: a comparison that fails has that of `failure`, as far as a load can.
template <class T>
inline WARPFIBER_AT_CALLER bool ordered_compare_exchange(T* address, T* expected, const T& value, int success,
                                                         int failure, Site site) {
  checked_order(success);
  T old = *expected;
  if constexpr (sizeof(T) == 16) {
    const auto wanted = __builtin_bit_cast(WideBits, old);
    old = __builtin_bit_cast(T, compare_exchange_wide(address, wanted, __builtin_bit_cast(WideBits, value)));
  } else {
    using Bits = typename Word<sizeof(T)>::Bits;
    const int failed = failure == __ATOMIC_ACQ_REL   ? __ATOMIC_ACQUIRE
                       : failure == __ATOMIC_RELEASE ? __ATOMIC_RELAXED
                                                     : failure;
    auto bits = __builtin_bit_cast(Bits, old);
    __atomic_compare_exchange_n(Word<sizeof(T)>::at(address), &bits, __builtin_bit_cast(Bits, value), false, success,
                                failed);
    old = __builtin_bit_cast(T, bits);
  }
  const bool stored = same_bits(old, *expected);
  after_atomic(stored && !same_bits(old, value), address, site);
  if (!stored) *expected = old;
  return stored;
}

template <class T>
inline T ordered_add(T* address, T value, int order, Site site) {
  if constexpr (std::is_floating_point_v<T>)
    return atomic_update<Sum>(address, value, site, order);
  else
    return atomic_add(address, value, site, order);
}

template <class T>
inline T ordered_subtract(T* address, T value, int order, Site site) {
  if constexpr (std::is_floating_point_v<T>)
    return atomic_update<Difference>(address, value, site, order);
  else
    return atomic_subtract(address, value, site, order);
}

}  // namespace warpfiber::detail

#define WARPFIBER_SCOPE_AND_SITE \
  warpfiber::detail::ThreadScope /*scope*/ = __NV_THREAD_SCOPE_SYSTEM, warpfiber::Site site = warpfiber::Site::here()

/// Loads *address: into *ret, or as the result.
template <warpfiber::detail::AtomicObject T>
inline void __nv_atomic_load(T* address, warpfiber::detail::Operand<T>* ret, warpfiber::detail::LoadOrder order,
                             WARPFIBER_SCOPE_AND_SITE) {
  *ret = warpfiber::detail::ordered_load(address, order.value, site);
}
template <warpfiber::detail::AtomicObject T>
requires warpfiber::detail::Integral<T>
inline T __nv_atomic_load_n(T* address, warpfiber::detail::LoadOrder order, WARPFIBER_SCOPE_AND_SITE) {
  return warpfiber::detail::ordered_load(address, order.value, site);
}

/// Stores *val, or val.
template <warpfiber::detail::AtomicObject T>
inline void __nv_atomic_store(T* address, const warpfiber::detail::Operand<T>* val, warpfiber::detail::StoreOrder order,
                              WARPFIBER_SCOPE_AND_SITE) {
  warpfiber::detail::ordered_exchange(address, *val, order.value, site);
}
template <warpfiber::detail::AtomicObject T>
requires warpfiber::detail::Integral<T>
inline void __nv_atomic_store_n(T* address, warpfiber::detail::Operand<T> val, warpfiber::detail::StoreOrder order,
                                WARPFIBER_SCOPE_AND_SITE) {
  warpfiber::detail::ordered_exchange(address, val, order.value, site);
}

/// Stores *val, or val; the value before goes into *ret, or is the result.
template <warpfiber::detail::ExchangeableObject T>
inline void __nv_atomic_exchange(T* address, const warpfiber::detail::Operand<T>* val,
                                 warpfiber::detail::Operand<T>* ret, warpfiber::detail::MemoryOrder order,
                                 WARPFIBER_SCOPE_AND_SITE) {
  *ret = warpfiber::detail::ordered_exchange(address, *val, order.value, site);
}
template <warpfiber::detail::ExchangeableObject T>
requires warpfiber::detail::Integral<T>
inline T __nv_atomic_exchange_n(T* address, warpfiber::detail::Operand<T> val, warpfiber::detail::MemoryOrder order,
                                WARPFIBER_SCOPE_AND_SITE) {
  return warpfiber::detail::ordered_exchange(address, val, order.value, site);
}

/// Stores *desired, or desired, if memory holds *expected and returns true; else loads it into *expected and returns
/// false. Never fails without reason, whatever `weak` is. Objects are compared bit by bit.
template <warpfiber::detail::ComparableObject T>
inline bool __nv_atomic_compare_exchange(T* address, warpfiber::detail::Operand<T>* expected,
                                         const warpfiber::detail::Operand<T>* desired, bool /*weak*/,
                                         warpfiber::detail::MemoryOrder success_order,
                                         warpfiber::detail::MemoryOrder failure_order, WARPFIBER_SCOPE_AND_SITE) {
  return warpfiber::detail::ordered_compare_exchange(address, expected, *desired, success_order.value,
                                                     failure_order.value, site);
}
template <warpfiber::detail::ComparableObject T>
requires warpfiber::detail::Integral<T>
inline bool __nv_atomic_compare_exchange_n(T* address, warpfiber::detail::Operand<T>* expected,
                                           warpfiber::detail::Operand<T> desired, bool /*weak*/,
                                           warpfiber::detail::MemoryOrder success_order,
                                           warpfiber::detail::MemoryOrder failure_order, WARPFIBER_SCOPE_AND_SITE) {
  return warpfiber::detail::ordered_compare_exchange(address, expected, desired, success_order.value,
                                                     failure_order.value, site);
}

// A function that returns the value before, and its twin that returns nothing.
#define WARPFIBER_NV_ATOMIC(name, Type, expression)                                                                   \
  template <warpfiber::detail::Type T>                                                                                \
  inline T __nv_atomic_fetch_##name(T* address, warpfiber::detail::Operand<T> val,                                    \
                                    warpfiber::detail::MemoryOrder order, WARPFIBER_SCOPE_AND_SITE) {                 \
    return warpfiber::detail::expression;                                                                             \
  }                                                                                                                   \
  template <warpfiber::detail::Type T>                                                                                \
  inline void __nv_atomic_##name(T* address, warpfiber::detail::Operand<T> val, warpfiber::detail::MemoryOrder order, \
                                 WARPFIBER_SCOPE_AND_SITE) {                                                          \
    warpfiber::detail::expression;                                                                                    \
  }

/// Stores old + val, old - val; integers wrap around.
WARPFIBER_NV_ATOMIC(add, ArithmeticWord, ordered_add(address, val, order.value, site))
WARPFIBER_NV_ATOMIC(sub, ArithmeticWord, ordered_subtract(address, val, order.value, site))
/// Stores the smaller, the larger of old and val.
WARPFIBER_NV_ATOMIC(min, BitwiseWord, atomic_update<warpfiber::detail::Smaller>(address, val, site, order.value))
WARPFIBER_NV_ATOMIC(max, BitwiseWord, atomic_update<warpfiber::detail::Larger>(address, val, site, order.value))
/// Stores old & val, old | val, old ^ val.
WARPFIBER_NV_ATOMIC(and, BitwiseWord, atomic_and(address, val, site, order.value))
WARPFIBER_NV_ATOMIC(or, BitwiseWord, atomic_or(address, val, site, order.value))
WARPFIBER_NV_ATOMIC(xor, BitwiseWord, atomic_xor(address, val, site, order.value))

#undef WARPFIBER_NV_ATOMIC

/// Orders the caller's memory accesses for the threads of a scope. Threads of a block share a host thread, so within
/// one the compiler is all that has to be held back.
inline void __nv_atomic_thread_fence(warpfiber::detail::MemoryOrder order,
                                     warpfiber::detail::ThreadScope scope = __NV_THREAD_SCOPE_SYSTEM,
                                     warpfiber::Site site = warpfiber::Site::here()) {
  warpfiber::detail::checked_meets_some();
  if (scope.value <= __NV_THREAD_SCOPE_BLOCK) {
    warpfiber::detail::block_fence(order.value);
  } else {
    __atomic_thread_fence(order.value);
  }
  warpfiber::detail::poll(nullptr, site);
}

#undef WARPFIBER_SCOPE_AND_SITE
