// SPDX-License-Identifier: Apache-2.0
// What programs that are built with access hooks (kHasHooks, docs/checking.md) report to the checker in
// addition to their accesses: the scope of atomics and fences, and asynchronous copies. In other programs these are
// nothing.
#pragma once

#include <warpfiber/detail/arch/words.hpp>
#include <warpfiber/detail/checked_copies.hpp>
#include <warpfiber/detail/config.hpp>
#include <warpfiber/detail/counted_access.hpp>
#include <warpfiber/detail/site.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace warpfiber::detail {

/// The scope of the atomic or fence that the calling OS thread is about to execute, as check::Scope numbers them.
inline constexpr unsigned checked_block_scope = 0;
inline constexpr unsigned checked_cluster_scope = 1;
inline constexpr unsigned checked_device_scope = 2;
inline constexpr unsigned checked_system_scope = 3;
/// Added to it: whether the caller uses what the atomic finds in memory is said afterwards (checked_found()).
inline constexpr unsigned checked_use_follows = 4;
extern constinit thread_local unsigned checked_scope WARPFIBER_OF_THREAD("warpfiber_checked_scope");

/// checked_scope, read and written without a hook. With hooks these accesses, two or three of each atomic, would cost
/// as much as the atomic's own hook.
inline __attribute__((always_inline)) unsigned get_checked_scope() {
  return arch::unhooked_load(checked_scope);
}
inline __attribute__((always_inline)) void set_checked_scope(unsigned scope) {
  arch::unhooked_store(checked_scope, scope);
}

/// While it lives, atomics and fences have this scope.
class CheckedScope {
 public:
  __attribute__((always_inline)) explicit CheckedScope(unsigned scope) : before_(get_checked_scope()) {
    set_checked_scope(scope);
  }
  __attribute__((always_inline)) ~CheckedScope() { set_checked_scope(before_); }
  CheckedScope(const CheckedScope&) = delete;
  CheckedScope& operator=(const CheckedScope&) = delete;

 private:
  unsigned before_;
};

/// A number in as many bytes as checked_found() takes.
template <class T>
inline constexpr bool has_checked_use = sizeof(T) == sizeof(std::uint32_t) || sizeof(T) == sizeof(std::uint64_t);

extern "C" {
/// Returns `found`, what an atomic of the calling thread has found in the `bytes` at `address`. Declared to do nothing
/// else, so that compilers leave the call out where its value is not used. The checker hears of the others.
[[gnu::const]] std::uint64_t warpfiber_checked_found(std::uint64_t found, const void* address, unsigned bytes) noexcept;
}

/// While it lives, an atomic returns what it finds by checked_found().
template <class T>
class CheckedUse : CheckedScope {
 public:
  __attribute__((always_inline)) CheckedUse()
      : CheckedScope(get_checked_scope() | (has_checked_use<T> ? checked_use_follows : 0)) {}
};

/// In programs without hooks it does nothing.
struct NothingChecked {
  constexpr __attribute__((always_inline)) NothingChecked() {}
  constexpr __attribute__((always_inline)) explicit NothingChecked(unsigned) {}
};
template <class T>
using AtomicUse = std::conditional_t<kHasHooks, CheckedUse<T>, NothingChecked>;
/// Until the end of the block, atomics and fences have the scope that it is made of.
using AtomicScope = std::conditional_t<kHasHooks, CheckedScope, NothingChecked>;

/// What an atomic has found at `address`.
template <class T>
inline __attribute__((always_inline)) T checked_found(T found, [[maybe_unused]] const void* address) {
  if constexpr (kHasHooks && has_checked_use<T>) {
    using Bits = std::conditional_t<sizeof(T) == sizeof(std::uint32_t), std::uint32_t, std::uint64_t>;
    const std::uint64_t bits = __builtin_bit_cast(Bits, found);
    return __builtin_bit_cast(T, static_cast<Bits>(warpfiber_checked_found(bits, address, sizeof(T))));
  }
  return found;
}

/// The program has code, here, by which threads meet or wait for others than all of a warp, block, cluster or grid: a
/// word among the program's initialisers, which are called before any kernel runs.
inline __attribute__((always_inline)) void checked_meets_some() {
#if defined(__LP64__) && defined(__linux__)
  if constexpr (kHasHooks) {
    asm volatile(
        ".pushsection .init_array, \"aw\", %init_array\n\t.balign 8\n\t.quad warpfiber_meets_some\n\t.popsection");
  }
#endif
}
/// The same of an atomic of this order (__ATOMIC_...), where the order may be one that releases.
inline __attribute__((always_inline)) void checked_order([[maybe_unused]] int order) {
  // No variable holds the condition: its initialiser would be evaluated before the function is inlined.
  if (kHasHooks && !(__builtin_constant_p(order) &&
                     (order == __ATOMIC_RELAXED || order == __ATOMIC_CONSUME || order == __ATOMIC_ACQUIRE)))
    checked_meets_some();
}

/// A fence for the threads of a block, which share an OS thread: all that has to be held back is the compiler.
inline __attribute__((always_inline)) void block_fence(int order) {
  if constexpr (kHasHooks) {
    const CheckedScope scope(checked_block_scope);
    __atomic_thread_fence(order);
  } else {
    __atomic_signal_fence(order);
  }
}

/// A lane of `mask` takes a value from lane `source`, which is not among them. `named`: the call named the lane, it was
/// not reached by counting. Returns a number for the call.
unsigned checked_foreign_lane(std::uint64_t mask, unsigned source, bool named);
/// What the caller gets from there in place of `value`, having come with `operand`; both are bits of values of a kind.
std::uint64_t checked_foreign_value(unsigned call, unsigned kind, std::uint64_t operand, std::uint64_t value);
/// The calling thread comes to a shuffle with `operand`, and gets `value` from a lane of its mask.
void checked_offer(unsigned kind, std::uint64_t operand);
void checked_receive(unsigned kind, std::uint64_t operand, std::uint64_t value);

/// A lane passes a mask to a collective that __activemask() has returned, at `line`. `apart`: lanes may have come apart
/// before, and the mask does not serve to elect one of its lanes.
void checked_active_lanes(std::uint64_t mask, unsigned line, bool apart);

/// Shared memory is read as `name`. It was stored to so at line `stored`, and as `other` at line `overwritten`.
void checked_one_memory(const char* name, const char* other, unsigned stored, unsigned overwritten);

/// The caller is about to load these bytes through a cache that writes of its kernel do not reach.
void checked_read_only(const void* address, std::size_t bytes);
/// The calling thread has waited for the launches before its own.
void checked_dependencies_met();

/// A tile of `size` threads is asked for the value of a rank that it does not have.
void checked_rank_beyond(int rank, unsigned size);

/// What a value is, as check::ValueKind numbers it.
template <class T>
inline constexpr unsigned checked_kind = std::is_same_v<T, float>                  ? 3
                                         : std::is_same_v<T, double>               ? 4
                                         : !std::is_integral_v<T> || sizeof(T) < 4 ? 0
                                         : sizeof(T) == 4                          ? 1
                                         : sizeof(T) == 8                          ? 2
                                                                                   : 0;

// Loops that wait for a volatile word, and lanes that go step by step (translated/lock_step.hpp).
/// The thread comes to what such a loop asks; all that it reads before it calls the next one belongs to it.
void checked_comes_to_wait();
/// Whether it waits on.
void checked_waits(bool again);
/// Lanes exchange values in the array at `place` without a barrier, as if they ran in lock-step.
void checked_step(const volatile void* place);

// Asynchronous copies (async_copy.hpp).
/// Reports a copy and does it: the caller's code would report it as its own. Zeroes follow up to `room` bytes.
void checked_copy(void* to, const void* from, std::size_t bytes, std::size_t room, const Site& call);
/// A call promises that an address is a multiple of `alignment`, as it is here.
void checked_promise(const void* address, std::size_t alignment, const Site& call);
void checked_commit();
/// The copies of the open batch, and where `committed` of all batches, end with the present phase of the barrier that
/// `word` is.
void checked_bind(const void* word, bool committed);
void checked_phase_end(const void* word);
/// The next phase of the barrier at `word` begins, or the first one.
void checked_phase_begin(const void* word, bool is_first);
/// Somebody has seen that a phase is over.
void checked_phase_seen(const void* word);
void checked_wait(std::size_t but);

}  // namespace warpfiber::detail
