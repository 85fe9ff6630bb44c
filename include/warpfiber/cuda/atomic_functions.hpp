// SPDX-License-Identifier: Apache-2.0
// The functions of <cuda/std/atomic> that C shares with C++: each names an atomic by a pointer and does what the member
// of the same name does.
#pragma once

#include <warpfiber/cuda/atomic.hpp>

namespace cuda {
namespace std {

#define WARPFIBER_ATOMIC_SITE warpfiber::Site site = warpfiber::Site::here()
/// A type that takes no part in deducing T.
template <class T>
using atomic_operand_t = typename atomic<T>::value_type;

template <class T>
inline bool atomic_is_lock_free(const volatile atomic<T>* object) noexcept {
  return object->is_lock_free();
}
template <class T>
inline void atomic_init(volatile atomic<T>* object, atomic_operand_t<T> desired, WARPFIBER_ATOMIC_SITE) noexcept {
  object->store(desired, memory_order_relaxed, site);
}
template <class T>
inline void atomic_store(volatile atomic<T>* object, atomic_operand_t<T> desired, WARPFIBER_ATOMIC_SITE) noexcept {
  object->store(desired, memory_order_seq_cst, site);
}
template <class T>
inline void atomic_store_explicit(volatile atomic<T>* object, atomic_operand_t<T> desired, memory_order order,
                                  WARPFIBER_ATOMIC_SITE) noexcept {
  object->store(desired, order, site);
}
template <class T>
inline T atomic_load(const volatile atomic<T>* object, WARPFIBER_ATOMIC_SITE) noexcept {
  return object->load(memory_order_seq_cst, site);
}
template <class T>
inline T atomic_load_explicit(const volatile atomic<T>* object, memory_order order, WARPFIBER_ATOMIC_SITE) noexcept {
  return object->load(order, site);
}

#define WARPFIBER_COMPARE_EXCHANGE(strength)                                                                           \
  template <class T>                                                                                                   \
  inline bool atomic_compare_exchange_##strength(volatile atomic<T>* object, atomic_operand_t<T>* expected,            \
                                                 atomic_operand_t<T> desired, WARPFIBER_ATOMIC_SITE) noexcept {        \
    return object->compare_exchange_##strength(*expected, desired, memory_order_seq_cst, site);                        \
  }                                                                                                                    \
  template <class T>                                                                                                   \
  inline bool atomic_compare_exchange_##strength##_explicit(volatile atomic<T>* object, atomic_operand_t<T>* expected, \
                                                            atomic_operand_t<T> desired, memory_order success,         \
                                                            memory_order failure, WARPFIBER_ATOMIC_SITE) noexcept {    \
    return object->compare_exchange_##strength(*expected, desired, success, failure, site);                            \
  }
WARPFIBER_COMPARE_EXCHANGE(weak)
WARPFIBER_COMPARE_EXCHANGE(strong)
#undef WARPFIBER_COMPARE_EXCHANGE

// A function that changes an atomic, and its twin with a memory order.
#define WARPFIBER_ATOMIC_CHANGE(function, member, Operand)                                         \
  template <class T>                                                                               \
  inline T function(volatile atomic<T>* object, Operand operand, WARPFIBER_ATOMIC_SITE) noexcept { \
    return object->member(operand, memory_order_seq_cst, site);                                    \
  }                                                                                                \
  template <class T>                                                                               \
  inline T function##_explicit(volatile atomic<T>* object, Operand operand, memory_order order,    \
                               WARPFIBER_ATOMIC_SITE) noexcept {                                   \
    return object->member(operand, order, site);                                                   \
  }
WARPFIBER_ATOMIC_CHANGE(atomic_exchange, exchange, atomic_operand_t<T>)
WARPFIBER_ATOMIC_CHANGE(atomic_fetch_add, fetch_add, warpfiber::cuda::StepOf<T>)
WARPFIBER_ATOMIC_CHANGE(atomic_fetch_sub, fetch_sub, warpfiber::cuda::StepOf<T>)
WARPFIBER_ATOMIC_CHANGE(atomic_fetch_and, fetch_and, atomic_operand_t<T>)
WARPFIBER_ATOMIC_CHANGE(atomic_fetch_or, fetch_or, atomic_operand_t<T>)
WARPFIBER_ATOMIC_CHANGE(atomic_fetch_xor, fetch_xor, atomic_operand_t<T>)
#undef WARPFIBER_ATOMIC_CHANGE

template <class T>
inline void atomic_wait(const volatile atomic<T>* object, atomic_operand_t<T> old, WARPFIBER_ATOMIC_SITE) noexcept {
  object->wait(old, memory_order_seq_cst, site);
}
template <class T>
inline void atomic_wait_explicit(const volatile atomic<T>* object, atomic_operand_t<T> old, memory_order order,
                                 WARPFIBER_ATOMIC_SITE) noexcept {
  object->wait(old, order, site);
}
template <class T>
inline void atomic_notify_one(volatile atomic<T>* object) noexcept {
  object->notify_one();
}
template <class T>
inline void atomic_notify_all(volatile atomic<T>* object) noexcept {
  object->notify_all();
}

inline bool atomic_flag_test(const volatile atomic_flag* flag, WARPFIBER_ATOMIC_SITE) noexcept {
  return flag->test(memory_order_seq_cst, site);
}
inline bool atomic_flag_test_explicit(const volatile atomic_flag* flag, memory_order order,
                                      WARPFIBER_ATOMIC_SITE) noexcept {
  return flag->test(order, site);
}
inline bool atomic_flag_test_and_set(volatile atomic_flag* flag, WARPFIBER_ATOMIC_SITE) noexcept {
  return flag->test_and_set(memory_order_seq_cst, site);
}
inline bool atomic_flag_test_and_set_explicit(volatile atomic_flag* flag, memory_order order,
                                              WARPFIBER_ATOMIC_SITE) noexcept {
  return flag->test_and_set(order, site);
}
inline void atomic_flag_clear(volatile atomic_flag* flag, WARPFIBER_ATOMIC_SITE) noexcept {
  flag->clear(memory_order_seq_cst, site);
}
inline void atomic_flag_clear_explicit(volatile atomic_flag* flag, memory_order order, WARPFIBER_ATOMIC_SITE) noexcept {
  flag->clear(order, site);
}
inline void atomic_flag_wait(const volatile atomic_flag* flag, bool old, WARPFIBER_ATOMIC_SITE) noexcept {
  flag->wait(old, memory_order_seq_cst, site);
}
inline void atomic_flag_wait_explicit(const volatile atomic_flag* flag, bool old, memory_order order,
                                      WARPFIBER_ATOMIC_SITE) noexcept {
  flag->wait(old, order, site);
}
inline void atomic_flag_notify_one(volatile atomic_flag*) noexcept {}
inline void atomic_flag_notify_all(volatile atomic_flag*) noexcept {}
#undef WARPFIBER_ATOMIC_SITE

using atomic_bool = atomic<bool>;
using atomic_char = atomic<char>;
using atomic_schar = atomic<signed char>;
using atomic_uchar = atomic<unsigned char>;
using atomic_short = atomic<short>;
using atomic_ushort = atomic<unsigned short>;
using atomic_int = atomic<int>;
using atomic_uint = atomic<unsigned int>;
using atomic_long = atomic<long>;
using atomic_ulong = atomic<unsigned long>;
using atomic_llong = atomic<long long>;
using atomic_ullong = atomic<unsigned long long>;
using atomic_char16_t = atomic<char16_t>;
using atomic_char32_t = atomic<char32_t>;
using atomic_wchar_t = atomic<wchar_t>;
using atomic_int8_t = atomic<::std::int8_t>;
using atomic_uint8_t = atomic<::std::uint8_t>;
using atomic_int_least8_t = atomic<::std::int_least8_t>;
using atomic_uint_least8_t = atomic<::std::uint_least8_t>;
using atomic_int_fast8_t = atomic<::std::int_fast8_t>;
using atomic_uint_fast8_t = atomic<::std::uint_fast8_t>;
using atomic_int16_t = atomic<::std::int16_t>;
using atomic_uint16_t = atomic<::std::uint16_t>;
using atomic_int_least16_t = atomic<::std::int_least16_t>;
using atomic_uint_least16_t = atomic<::std::uint_least16_t>;
using atomic_int_fast16_t = atomic<::std::int_fast16_t>;
using atomic_uint_fast16_t = atomic<::std::uint_fast16_t>;
using atomic_int32_t = atomic<::std::int32_t>;
using atomic_uint32_t = atomic<::std::uint32_t>;
using atomic_int_least32_t = atomic<::std::int_least32_t>;
using atomic_uint_least32_t = atomic<::std::uint_least32_t>;
using atomic_int_fast32_t = atomic<::std::int_fast32_t>;
using atomic_uint_fast32_t = atomic<::std::uint_fast32_t>;
using atomic_int64_t = atomic<::std::int64_t>;
using atomic_uint64_t = atomic<::std::uint64_t>;
using atomic_int_least64_t = atomic<::std::int_least64_t>;
using atomic_uint_least64_t = atomic<::std::uint_least64_t>;
using atomic_int_fast64_t = atomic<::std::int_fast64_t>;
using atomic_uint_fast64_t = atomic<::std::uint_fast64_t>;
using atomic_intptr_t = atomic<::std::intptr_t>;
using atomic_uintptr_t = atomic<::std::uintptr_t>;
using atomic_size_t = atomic<::std::size_t>;
using atomic_ptrdiff_t = atomic<::std::ptrdiff_t>;
using atomic_intmax_t = atomic<::std::intmax_t>;
using atomic_uintmax_t = atomic<::std::uintmax_t>;
using atomic_signed_lock_free = atomic<int>;
using atomic_unsigned_lock_free = atomic<unsigned int>;

}  // namespace std
}  // namespace cuda
