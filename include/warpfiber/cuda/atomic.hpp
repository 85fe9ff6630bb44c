// SPDX-License-Identifier: Apache-2.0
// libcu++'s atomics: cuda::atomic, cuda::atomic_ref, cuda::std::atomic and what belongs to them (libcu++ reference,
// "Synchronization Primitives"). Kernels and host code may use them, also on the same object at once. Every scope is
// the host's. Sizes and alignments are libcu++'s. Default construction does nothing, so that atomics can be shared.
// A thread that spins on one lets others run; members that take arguments end with the place of the call, operators
// cannot, and reports on them say less.
#pragma once

#include <warpfiber/cuda/atomic_access.hpp>
#include <warpfiber/cuda/thread_scope.hpp>

#include <cstdint>

namespace warpfiber::detail {

/// As the checker numbers scopes; it distinguishes blocks from what is wider.
constexpr unsigned scope_number(::cuda::thread_scope scope) {
  return scope == ::cuda::thread_scope_block ? checked_block_scope : checked_device_scope;
}

}  // namespace warpfiber::detail

namespace warpfiber::cuda {

/// What cuda::atomic and cuda::std::atomic keep. Objects of less than 4 bytes take 4, objects without an instruction
/// have room for a lock behind them, as on the device.
template <class T>
constexpr std::size_t alignment_of_atomic() {
  if (sizeof(T) < 4) return 4;
  const bool word = sizeof(T) == 4 || sizeof(T) == 8;
  return word && sizeof(T) > alignof(T) ? sizeof(T) : alignof(T);
}
template <class T, bool kRoomForLock = (sizeof(T) > 4 && sizeof(T) != 8)>
struct alignas(alignment_of_atomic<T>()) AtomicStorage {
  AtomicStorage() noexcept = default;
  constexpr AtomicStorage(T initial) noexcept : value(initial) {}
  T value;
};
template <class T>
struct alignas(alignment_of_atomic<T>()) AtomicStorage<T, true> {
  AtomicStorage() noexcept = default;
  constexpr AtomicStorage(T initial) noexcept : value(initial), lock(0) {}
  T value;
  int lock;
};

// The members of an atomic, for an object (`qualifiers` are volatile) and for a reference (const). `place()` is the
// address of the value.
#define WARPFIBER_ATOMIC_SITE warpfiber::Site site = warpfiber::Site::here()
#define WARPFIBER_ATOMIC_ORDER ::std::memory_order order = ::std::memory_order_seq_cst
#define WARPFIBER_ATOMIC_FETCH(name, operation, condition)                                                     \
  WARPFIBER_AT_CALLER T name(T operand, WARPFIBER_ATOMIC_ORDER, WARPFIBER_ATOMIC_SITE)                         \
  WARPFIBER_ATOMIC_SELF noexcept requires(condition) {                                                         \
    [[maybe_unused]] const warpfiber::detail::AtomicScope checked_as(warpfiber::detail::scope_number(kScope)); \
    return warpfiber::detail::operation(place(), operand, order, site);                                        \
  }
#define WARPFIBER_ATOMIC_MEMBERS(reading)                                                                              \
  bool is_lock_free() const reading noexcept {                                                                         \
    return is_always_lock_free;                                                                                        \
  }                                                                                                                    \
  static constexpr bool is_always_lock_free = sizeof(T) <= 8;                                                          \
                                                                                                                       \
  WARPFIBER_AT_CALLER void store(T desired, WARPFIBER_ATOMIC_ORDER, WARPFIBER_ATOMIC_SITE)                             \
      WARPFIBER_ATOMIC_SELF noexcept {                                                                                 \
    [[maybe_unused]] const warpfiber::detail::AtomicScope checked_as(warpfiber::detail::scope_number(kScope));         \
    const int stored = warpfiber::detail::order_of_store(order);                                                       \
    warpfiber::detail::object_exchange(place(), desired, static_cast<::std::memory_order>(stored), site);              \
  }                                                                                                                    \
  WARPFIBER_AT_CALLER T load(WARPFIBER_ATOMIC_ORDER, WARPFIBER_ATOMIC_SITE) const reading noexcept {                   \
    [[maybe_unused]] const warpfiber::detail::AtomicScope checked_as(warpfiber::detail::scope_number(kScope));         \
    return warpfiber::detail::object_load(const_cast<::std::remove_const_t<T>*>(place()), order, site);                \
  }                                                                                                                    \
  WARPFIBER_AT_CALLER operator T() const reading noexcept {                                                            \
    return load(::std::memory_order_seq_cst, {});                                                                      \
  }                                                                                                                    \
  WARPFIBER_AT_CALLER T exchange(T desired, WARPFIBER_ATOMIC_ORDER, WARPFIBER_ATOMIC_SITE)                             \
  WARPFIBER_ATOMIC_SELF noexcept {                                                                                     \
    [[maybe_unused]] const warpfiber::detail::AtomicScope checked_as(warpfiber::detail::scope_number(kScope));         \
    return warpfiber::detail::object_exchange(place(), desired, order, site);                                          \
  }                                                                                                                    \
  WARPFIBER_AT_CALLER bool compare_exchange_weak(T& expected, T desired, ::std::memory_order success,                  \
                                                 ::std::memory_order failure, WARPFIBER_ATOMIC_SITE)                   \
      WARPFIBER_ATOMIC_SELF noexcept {                                                                                 \
    [[maybe_unused]] const warpfiber::detail::AtomicScope checked_as(warpfiber::detail::scope_number(kScope));         \
    return warpfiber::detail::object_compare_exchange(place(), &expected, desired, success, failure, site);            \
  }                                                                                                                    \
  WARPFIBER_AT_CALLER bool compare_exchange_weak(T& expected, T desired, WARPFIBER_ATOMIC_ORDER,                       \
                                                 WARPFIBER_ATOMIC_SITE) WARPFIBER_ATOMIC_SELF noexcept {               \
    [[maybe_unused]] const warpfiber::detail::AtomicScope checked_as(warpfiber::detail::scope_number(kScope));         \
    return warpfiber::detail::object_compare_exchange(place(), &expected, desired, order, order, site);                \
  }                                                                                                                    \
  WARPFIBER_AT_CALLER bool compare_exchange_strong(T& expected, T desired, ::std::memory_order success,                \
                                                   ::std::memory_order failure, WARPFIBER_ATOMIC_SITE)                 \
      WARPFIBER_ATOMIC_SELF noexcept {                                                                                 \
    [[maybe_unused]] const warpfiber::detail::AtomicScope checked_as(warpfiber::detail::scope_number(kScope));         \
    return warpfiber::detail::object_compare_exchange(place(), &expected, desired, success, failure, site);            \
  }                                                                                                                    \
  WARPFIBER_AT_CALLER bool compare_exchange_strong(T& expected, T desired, WARPFIBER_ATOMIC_ORDER,                     \
                                                   WARPFIBER_ATOMIC_SITE) WARPFIBER_ATOMIC_SELF noexcept {             \
    [[maybe_unused]] const warpfiber::detail::AtomicScope checked_as(warpfiber::detail::scope_number(kScope));         \
    return warpfiber::detail::object_compare_exchange(place(), &expected, desired, order, order, site);                \
  }                                                                                                                    \
  WARPFIBER_AT_CALLER void wait(T old, WARPFIBER_ATOMIC_ORDER, WARPFIBER_ATOMIC_SITE) const reading noexcept {         \
    warpfiber::detail::object_wait(const_cast<::std::remove_const_t<T>*>(place()), old, order, site);                  \
  }                                                                                                                    \
  void notify_one() WARPFIBER_ATOMIC_SELF noexcept {}                                                                  \
  void notify_all() WARPFIBER_ATOMIC_SELF noexcept {}                                                                  \
                                                                                                                       \
  WARPFIBER_ATOMIC_FETCH(fetch_add, object_add, kArithmetic<T>)                                                        \
  WARPFIBER_ATOMIC_FETCH(fetch_sub, object_subtract, kArithmetic<T>)                                                   \
  WARPFIBER_ATOMIC_FETCH(fetch_and, object_and, warpfiber::detail::kIsInteger<T>)                                      \
  WARPFIBER_ATOMIC_FETCH(fetch_or, object_or, warpfiber::detail::kIsInteger<T>)                                        \
  WARPFIBER_ATOMIC_FETCH(fetch_xor, object_xor, warpfiber::detail::kIsInteger<T>)                                      \
  WARPFIBER_AT_CALLER T fetch_min(const T& operand, ::std::memory_order = ::std::memory_order_seq_cst,                 \
                                  WARPFIBER_ATOMIC_SITE)                                                               \
  WARPFIBER_ATOMIC_SELF noexcept {                                                                                     \
    [[maybe_unused]] const warpfiber::detail::AtomicScope checked_as(warpfiber::detail::scope_number(kScope));         \
    return warpfiber::detail::object_smaller(place(), operand, site);                                                  \
  }                                                                                                                    \
  WARPFIBER_AT_CALLER T fetch_max(const T& operand, ::std::memory_order = ::std::memory_order_seq_cst,                 \
                                  WARPFIBER_ATOMIC_SITE)                                                               \
  WARPFIBER_ATOMIC_SELF noexcept {                                                                                     \
    [[maybe_unused]] const warpfiber::detail::AtomicScope checked_as(warpfiber::detail::scope_number(kScope));         \
    return warpfiber::detail::object_larger(place(), operand, site);                                                   \
  }                                                                                                                    \
  WARPFIBER_AT_CALLER T fetch_add(::std::ptrdiff_t by, ::std::memory_order = ::std::memory_order_seq_cst,              \
                                  WARPFIBER_ATOMIC_SITE)                                                               \
  WARPFIBER_ATOMIC_SELF noexcept requires(::std::is_pointer_v<T>) {                                                    \
    [[maybe_unused]] const warpfiber::detail::AtomicScope checked_as(warpfiber::detail::scope_number(kScope));         \
    return warpfiber::detail::object_move(place(), by, site);                                                          \
  }                                                                                                                    \
  WARPFIBER_AT_CALLER T fetch_sub(::std::ptrdiff_t by, ::std::memory_order = ::std::memory_order_seq_cst,              \
                                  WARPFIBER_ATOMIC_SITE)                                                               \
  WARPFIBER_ATOMIC_SELF noexcept requires(::std::is_pointer_v<T>) {                                                    \
    [[maybe_unused]] const warpfiber::detail::AtomicScope checked_as(warpfiber::detail::scope_number(kScope));         \
    return warpfiber::detail::object_move(place(), -by, site);                                                         \
  }                                                                                                                    \
                                                                                                                       \
  WARPFIBER_AT_CALLER T operator++(int) WARPFIBER_ATOMIC_SELF noexcept requires(kCounts<T>) {                          \
    return fetch_add(1, ::std::memory_order_seq_cst, {});                                                              \
  }                                                                                                                    \
  WARPFIBER_AT_CALLER T operator--(int) WARPFIBER_ATOMIC_SELF noexcept requires(kCounts<T>) {                          \
    return fetch_sub(1, ::std::memory_order_seq_cst, {});                                                              \
  }                                                                                                                    \
  WARPFIBER_AT_CALLER T operator++() WARPFIBER_ATOMIC_SELF noexcept requires(kCounts<T>) {                             \
    return static_cast<T>(fetch_add(1, ::std::memory_order_seq_cst, {}) + 1);                                          \
  }                                                                                                                    \
  WARPFIBER_AT_CALLER T operator--() WARPFIBER_ATOMIC_SELF noexcept requires(kCounts<T>) {                             \
    return static_cast<T>(fetch_sub(1, ::std::memory_order_seq_cst, {}) - 1);                                          \
  }                                                                                                                    \
  WARPFIBER_AT_CALLER T operator+=(StepOf<T> by) WARPFIBER_ATOMIC_SELF noexcept requires(kCounts<T>) {                 \
    return static_cast<T>(fetch_add(by, ::std::memory_order_seq_cst, {}) + by);                                        \
  }                                                                                                                    \
  WARPFIBER_AT_CALLER T operator-=(StepOf<T> by) WARPFIBER_ATOMIC_SELF noexcept requires(kCounts<T>) {                 \
    return static_cast<T>(fetch_sub(by, ::std::memory_order_seq_cst, {}) - by);                                        \
  }                                                                                                                    \
  WARPFIBER_AT_CALLER T operator&=(T bits) WARPFIBER_ATOMIC_SELF noexcept requires(warpfiber::detail::kIsInteger<T>) { \
    return static_cast<T>(fetch_and(bits, ::std::memory_order_seq_cst, {}) & bits);                                    \
  }                                                                                                                    \
  WARPFIBER_AT_CALLER T operator|=(T bits) WARPFIBER_ATOMIC_SELF noexcept requires(warpfiber::detail::kIsInteger<T>) { \
    return static_cast<T>(fetch_or(bits, ::std::memory_order_seq_cst, {}) | bits);                                     \
  }                                                                                                                    \
  WARPFIBER_AT_CALLER T operator^=(T bits) WARPFIBER_ATOMIC_SELF noexcept requires(warpfiber::detail::kIsInteger<T>) { \
    return static_cast<T>(fetch_xor(bits, ::std::memory_order_seq_cst, {}) ^ bits);                                    \
  }

template <class T>
inline constexpr bool kArithmetic = warpfiber::detail::kIsInteger<T> || ::std::is_floating_point_v<T>;
template <class T>
inline constexpr bool kCounts = kArithmetic<T> || ::std::is_pointer_v<T>;
/// What is added to an atomic of T: a T, or a distance between pointers.
template <class T>
using StepOf = ::std::conditional_t<::std::is_pointer_v<T>, ::std::ptrdiff_t, T>;

/// Where the object of an atomic, or of a reference, lies.
struct AtomicPlace {
  template <class Atomic>
  static const void* of(const Atomic& atomic) {
    return atomic.place();
  }
};

/// An object with atomic operations. Only checked programs ask how far they reach.
template <class T, ::cuda::thread_scope kScope = ::cuda::thread_scope_system>
class Atomic {
  static_assert(::std::is_trivially_copyable_v<T>, "an atomic holds a trivially copyable type");

 public:
  using value_type = T;

  Atomic() noexcept = default;
  constexpr Atomic(T initial) noexcept : storage_(initial) {}
  Atomic(const Atomic&) = delete;
  Atomic& operator=(const Atomic&) = delete;
  Atomic& operator=(const Atomic&) volatile = delete;

#define WARPFIBER_ATOMIC_SELF volatile
  WARPFIBER_ATOMIC_MEMBERS(volatile)
#undef WARPFIBER_ATOMIC_SELF

 private:
  T* place() const volatile noexcept {
    return const_cast<T*>(&storage_.value);
  }

  AtomicStorage<T> storage_;

  friend struct AtomicPlace;
};

/// A name for an object, all accesses to which go through such names while there is one. Of a const object: read only.
template <class T, ::cuda::thread_scope kScope = ::cuda::thread_scope_system>
class AtomicRef {
  static_assert(::std::is_trivially_copyable_v<T>, "an atomic_ref names an object of a trivially copyable type");

 public:
  using value_type = ::std::remove_cv_t<T>;
  static constexpr ::std::size_t required_alignment = sizeof(T);

  explicit constexpr AtomicRef(T& object) noexcept : object_(&object) {}
  AtomicRef(const AtomicRef&) noexcept = default;
  AtomicRef& operator=(const AtomicRef&) = delete;
  AtomicRef& operator=(const AtomicRef&) const = delete;

#define WARPFIBER_ATOMIC_SELF const
  WARPFIBER_ATOMIC_MEMBERS()
#undef WARPFIBER_ATOMIC_SELF

 private:
  T* place() const noexcept {
    return object_;
  }

  T* object_;

  friend struct AtomicPlace;
};

#undef WARPFIBER_ATOMIC_MEMBERS
#undef WARPFIBER_ATOMIC_FETCH

}  // namespace warpfiber::cuda

namespace cuda {
namespace std {

/// libcu++'s <cuda/std/atomic>: the atomics of C++, at system scope.
template <class T>
struct atomic : warpfiber::cuda::Atomic<T> {
  using warpfiber::cuda::Atomic<T>::Atomic;
  atomic() noexcept = default;
  atomic(const atomic&) = delete;
  atomic& operator=(const atomic&) = delete;
  atomic& operator=(const atomic&) volatile = delete;
  T operator=(T desired) noexcept { return this->store(desired, memory_order_seq_cst, {}), desired; }
  T operator=(T desired) volatile noexcept { return this->store(desired, memory_order_seq_cst, {}), desired; }
};

template <class T>
struct atomic_ref : warpfiber::cuda::AtomicRef<T> {
  using warpfiber::cuda::AtomicRef<T>::AtomicRef;
  atomic_ref(const atomic_ref&) noexcept = default;
  atomic_ref& operator=(const atomic_ref&) = delete;
  atomic_ref& operator=(const atomic_ref&) const = delete;
  T operator=(T desired) const noexcept { return this->store(desired, memory_order_seq_cst, {}), desired; }
};

/// False after clear(), true after test_and_set().
class atomic_flag {
 public:
  atomic_flag() noexcept = default;
  constexpr atomic_flag(bool set) noexcept : set_(set) {}
  atomic_flag(const atomic_flag&) = delete;
  atomic_flag& operator=(const atomic_flag&) = delete;
  atomic_flag& operator=(const atomic_flag&) volatile = delete;

  bool test(WARPFIBER_ATOMIC_ORDER, WARPFIBER_ATOMIC_SITE) const volatile noexcept { return set_.load(order, site); }
  bool test_and_set(WARPFIBER_ATOMIC_ORDER, WARPFIBER_ATOMIC_SITE) volatile noexcept {
    return set_.exchange(1, order, site) != 0;
  }
  void clear(WARPFIBER_ATOMIC_ORDER, WARPFIBER_ATOMIC_SITE) volatile noexcept { set_.store(0, order, site); }
  void wait(bool old, WARPFIBER_ATOMIC_ORDER, WARPFIBER_ATOMIC_SITE) const volatile noexcept {
    set_.wait(old, order, site);
  }
  void notify_one() volatile noexcept {}
  void notify_all() volatile noexcept {}

 private:
  atomic<int> set_;
};

inline void atomic_thread_fence(memory_order order, WARPFIBER_ATOMIC_SITE) noexcept {
  warpfiber::detail::scoped_fence(order, false, site);
}

}  // namespace std

/// An object of type T that threads of `kScope` access at once.
template <class T, thread_scope kScope = thread_scope_system>
struct atomic : warpfiber::cuda::Atomic<T, kScope> {
  using warpfiber::cuda::Atomic<T, kScope>::Atomic;
  atomic() noexcept = default;
  atomic(const atomic&) = delete;
  atomic& operator=(const atomic&) = delete;
  atomic& operator=(const atomic&) volatile = delete;
  T operator=(T desired) noexcept { return this->store(desired, memory_order_seq_cst, {}), desired; }
  T operator=(T desired) volatile noexcept { return this->store(desired, memory_order_seq_cst, {}), desired; }
};

/// Atomic access to an object that is not an atomic, for threads of `kScope`.
template <class T, thread_scope kScope = thread_scope_system>
struct atomic_ref : warpfiber::cuda::AtomicRef<T, kScope> {
  using warpfiber::cuda::AtomicRef<T, kScope>::AtomicRef;
  atomic_ref(const atomic_ref&) noexcept = default;
  atomic_ref& operator=(const atomic_ref&) = delete;
  atomic_ref& operator=(const atomic_ref&) const = delete;
  T operator=(T desired) const noexcept { return this->store(desired, memory_order_seq_cst, {}), desired; }
};

using std::atomic_flag;

/// Orders the caller's memory accesses for the threads of a scope. Threads of a block share a host thread, so within
/// one the compiler is all that has to be held back.
inline void atomic_thread_fence(memory_order order, thread_scope scope = thread_scope_system,
                                WARPFIBER_ATOMIC_SITE) noexcept {
  warpfiber::detail::scoped_fence(order, scope == thread_scope_block || scope == thread_scope_thread, site);
}

inline void atomic_signal_fence(memory_order order) noexcept {
  __atomic_signal_fence(static_cast<int>(order));
}

}  // namespace cuda

#undef WARPFIBER_ATOMIC_ORDER
#undef WARPFIBER_ATOMIC_SITE
