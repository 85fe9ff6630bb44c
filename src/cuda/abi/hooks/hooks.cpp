// SPDX-License-Identifier: Apache-2.0
// The entry points that -fsanitize=thread makes g++ and clang++ call, defined here instead of by libtsan: a program
// built with `warpfiber nvcc -fcheck` links this library. Accesses are reported by address and size before they happen;
// atomic operations are calls, so each does what it says, and is reported. Invariants: compiled without
// -fsanitize=thread, or the hooks would call themselves; while the checker works, the thread is not preempted: either
// it is busy, or in code of which ticks know that (engine/preempt.hpp).
// Signatures are those of compiler-rt's tsan_interface.h and tsan_interface_atomic.h.
#include <warpfiber/detail/checked.hpp>
#include <warpfiber/detail/counted_access.hpp>
#include <warpfiber/detail/current_thread.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "abi/hooks/busy.hpp"
#include "abi/hooks/judging.hpp"
#include "check/cells/check_state.hpp"
#include "check/quick/quick.hpp"
#include "check/quick/words.hpp"
#include "engine/observing/access_hook.hpp"
#include "engine/preempt.hpp"
#include "memory/host/built_by_host.hpp"
#include "record/observer.hpp"
#include "runtime/checking/checking.hpp"
#include "runtime/checking/host_reach.hpp"

#if defined(__linux__) && defined(__OPTIMIZE__)
// Hooks that leave something in the shadow without saying that they are busy lie in a section of their own, in which
// no thread is made to wait. All that they do there is inlined into them, which needs an optimised build.
#define WARPFIBER_STAYS __attribute__((section("warpfiber_stays"), flatten))
// The linker gives the section's begin and end these names.
// NOLINTNEXTLINE(bugprone-reserved-identifier)
extern "C" __attribute__((visibility("hidden"))) const char __start_warpfiber_stays[], __stop_warpfiber_stays[];
#else
#define WARPFIBER_STAYS
#endif
#define WARPFIBER_STAYS_APART WARPFIBER_STAYS __attribute__((noinline))

namespace {

using warpfiber::abi::Busy;
using warpfiber::abi::is_on_own_stack;
using warpfiber::abi::is_thread_local;
using warpfiber::abi::judge_access;
using warpfiber::abi::judge_atomic;
using warpfiber::abi::judge_outside;
using warpfiber::abi::judge_range;
using warpfiber::abi::judge_volatile;
using warpfiber::abi::leave_out;
using warpfiber::abi::may_access;
using warpfiber::abi::refuse_misaligned;
using warpfiber::check::active_checker;
using warpfiber::check::AtomicUse;
using warpfiber::check::LaunchChecker;
using warpfiber::check::Scope;
using warpfiber::check::shadow;
using warpfiber::check::Use;
using warpfiber::detail::current_thread;
using warpfiber::record::AccessKind;

#if defined(__linux__) && defined(__OPTIMIZE__)
constexpr bool kStays = true;
bool begin() {
  warpfiber::runtime::begin_checking(reinterpret_cast<const void*>(&begin));
  warpfiber::engine::never_wait_in(__start_warpfiber_stays, __stop_warpfiber_stays);
  return true;
}
#else
constexpr bool kStays = false;
bool begin() {
  warpfiber::runtime::begin_checking(reinterpret_cast<const void*>(&begin));
  return true;
}
#endif

const bool enabled = begin();

#ifdef WARPFIBER_OF_LOADED_LIBRARY
// After the library's own static objects.
[[gnu::destructor(101)]] void end() {
  warpfiber::runtime::end_checking(reinterpret_cast<const void*>(&begin));
}
#endif

// Here, as every checked program has this file.
[[gnu::constructor]] void listen_to_tests() {
  warpfiber::abi::listen_to_google_test();
}

__attribute__((noinline)) void check_access(const void* address, std::size_t bytes, bool write,
                                            const void* instruction) {
  if (judge_access(address, bytes, write, instruction)) [[unlikely]]
    leave_out(address, bytes, instruction);
}

// What jumps lead to from the hooks for words, which then need no more registers than they may change.
void read_again(std::size_t index, const void* instruction, LaunchChecker* checker, std::ptrdiff_t counter);
void write_again(std::size_t index, const void* instruction, LaunchChecker* checker, std::ptrdiff_t counter);

/// How the fast paths of reporting an access to a word begin and end.
struct AccessHook {
  static bool begin() {
    if (current_thread.busy) return false;
    current_thread.busy = true;
    return true;
  }
  static void leave_hook() { current_thread.busy = false; }
  template <bool kWrite>
  static void access(const void* address, const void* instruction, std::size_t bytes = warpfiber::check::kWordBytes) {
    check_access(address, bytes, kWrite, instruction);
  }
  template <bool kWrite>
  static void again(std::size_t index, const void* instruction, LaunchChecker* checker, std::ptrdiff_t counter) {
    (kWrite ? write_again : read_again)(index, instruction, checker, counter);
  }
};

template <bool kWrite>
using QuickWord = warpfiber::check::Quick<AccessHook, kWrite>;
template <bool kWrite, unsigned kWords>
using FastWords = warpfiber::check::QuickWords<AccessHook, kWrite, kWords>;

WARPFIBER_STAYS_APART void read_again(std::size_t index, const void* instruction, LaunchChecker* checker,
                                      std::ptrdiff_t counter) {
  QuickWord<false>::access_again(index, instruction, checker, counter);
}
WARPFIBER_STAYS_APART void write_again(std::size_t index, const void* instruction, LaunchChecker* checker,
                                       std::ptrdiff_t counter) {
  QuickWord<true>::access_again(index, instruction, checker, counter);
}

/// Reads that the cells do not show to be enough; by how many words.
WARPFIBER_STAYS_APART void read_on(std::integral_constant<unsigned, 1>, std::size_t index, const void* instruction,
                                   LaunchChecker* checker, std::ptrdiff_t counter) {
  QuickWord<false>::access(index, instruction, checker, counter);
}
WARPFIBER_STAYS_APART void read_on(std::integral_constant<unsigned, 2>, std::size_t index, const void* instruction,
                                   LaunchChecker* checker, std::ptrdiff_t) {
  FastWords<false, 2>::access(index, instruction, checker);
}
WARPFIBER_STAYS_APART void read_on(std::integral_constant<unsigned, 4>, std::size_t index, const void* instruction,
                                   LaunchChecker* checker, std::ptrdiff_t) {
  FastWords<false, 4>::access(index, instruction, checker);
}

/// By value: nothing of the hook's own may be on the stack when it is left by a jump.
__attribute__((noinline)) void check_outside(const void* address, std::size_t bytes, Use use, const void* instruction) {
  if (judge_outside(address, bytes, use, instruction)) leave_out(address, bytes, instruction);
}

/// Whether the running thread's accesses are observed and nothing checks them.
inline bool is_only_observed() {
  return warpfiber::engine::unchecked_accesses() != nullptr;
}

/// What the thread's own stack holds, and the engine's variables, is no memory of a device.
inline void observe_unchecked(const warpfiber::record::MemoryAccess& access) {
  if (!shadow.covers(access.address) && (is_on_own_stack(access.address) || is_thread_local(access.address))) return;
  const Busy busy;
  warpfiber::engine::unchecked_accesses()->access(access);
}

inline void observe_unchecked(const void* address, std::size_t bytes, bool write, const void* instruction) {
  observe_unchecked({.address = address, .bytes = bytes, .reads = !write, .writes = write, .instruction = instruction});
}

/// Where memory and variables of devices are.
inline bool is_known_to_devices(const void* address) {
  return shadow.covers(address) || shadow.covers_also(address);
}

/// Code of the host, or of the engine, reads or writes plainly.
__attribute__((noinline)) void check_host_access(const void* address, std::size_t bytes, bool write,
                                                 const void* instruction) {
  if (warpfiber::runtime::judge_host_access(address, bytes, write, instruction))
    warpfiber::runtime::host_touches(address, bytes, write, instruction);
}

/// The same of an atomic or volatile access.
__attribute__((noinline)) void check_host_atomic(const void* address, unsigned bytes, const AtomicUse& use,
                                                 const void* instruction) {
  if (warpfiber::runtime::judge_host_access(address, bytes, use.writes, instruction))
    warpfiber::runtime::host_signals(use.reads, use.writes);
}

template <unsigned kBytes, bool kWrite>
__attribute__((noinline)) void check_aligned_access(const void* address, const void* instruction) {
  if (active_checker == nullptr) {
    if (is_only_observed()) return observe_unchecked(address, kBytes, kWrite, instruction);
    if (is_known_to_devices(address)) check_host_access(address, kBytes, kWrite, instruction);
    return;
  }
  if (!shadow.covers(address)) {
    if constexpr (kBytes == 4) {
      const bool whole = reinterpret_cast<std::uintptr_t>(address) % kBytes == 0;
      if (whole && active_checker->outside_memory().is_word_of_variable(address, kWrite))
        return warpfiber::check::Quick<AccessHook, kWrite>::step(shadow.index_of(address), instruction, active_checker);
    }
    // Each thread of a kernel reads its arguments.
    if (!kWrite && active_checker->outside_memory().is_argument(address)) return;
    if (!is_thread_local(address)) check_outside(address, kBytes, Use{.read = !kWrite, .write = kWrite}, instruction);
    return;
  }
  // Compilers call the hook of 16 bytes for structures that are aligned to 8 as well; what is aligned to 16 is also
  // checked by alignment.cpp.
  constexpr unsigned kAlignment = kBytes < 8 ? kBytes : 8;
  const bool is_known = kBytes > kAlignment && active_checker->log().refusals().expects(address);
  if (is_known || (kBytes > 1 && reinterpret_cast<std::uintptr_t>(address) % kAlignment != 0)) [[unlikely]] {
    if (refuse_misaligned(address, kBytes, kWrite, instruction)) leave_out(address, kBytes, instruction);
    return;
  }
  check_access(address, kBytes, kWrite, instruction);
}

/// Whole words of the device space. Where threads are made to wait anywhere, each step says that it is busy.
template <bool kWrite, unsigned kWords>
inline __attribute__((always_inline)) void word_access(std::size_t index, const void* instruction,
                                                       LaunchChecker* checker, std::ptrdiff_t counter) {
  if constexpr (kStays && !kWrite) {
    if (QuickWord<false>::has_enough(index, kWords, checker)) return;
    read_on(std::integral_constant<unsigned, kWords>(), index, instruction, checker, counter);
  } else if constexpr (kWords == 1) {
    kStays ? QuickWord<kWrite>::access(index, instruction, checker, counter)
           : QuickWord<kWrite>::step(index, instruction, checker);
  } else {
    kStays ? FastWords<kWrite, kWords>::access(index, instruction, checker)
           : FastWords<kWrite, kWords>::step(index, instruction, checker);
  }
}

template <unsigned kBytes, bool kWrite>
inline __attribute__((always_inline)) void aligned_access(const void* address, const void* instruction,
                                                          std::ptrdiff_t counter = 0) {
  using warpfiber::check::kWordBytes;
  if constexpr (kBytes >= kWordBytes) {
    constexpr unsigned kWords = kBytes / kWordBytes;
    LaunchChecker* checker = active_checker;
    if (checker == nullptr) return check_aligned_access<kBytes, kWrite>(address, instruction);
    const std::size_t index = shadow.index_of_whole(address);
    if (index < shadow.words() && index % kWords == 0) [[likely]]
      return word_access<kWrite, kWords>(index, instruction, checker, counter);
    // A variable, as a rule one in constant memory that many threads read.
    const std::size_t variable = shadow.index_of_whole_also(address, kWords);
    if (!kWrite && variable != 0 && reinterpret_cast<std::uintptr_t>(address) % kBytes == 0 &&
        QuickWord<false>::has_enough(variable, kWords, checker))
      return;
  }
  check_aligned_access<kBytes, kWrite>(address, instruction);
}

inline void range_access(const void* address, std::size_t bytes, bool write, const void* instruction) {
  if (bytes == 0) return;
  if (active_checker != nullptr) {
    if (judge_range(address, bytes, write, instruction)) leave_out(address, bytes, instruction);
  } else if (is_only_observed()) {
    observe_unchecked(address, bytes, write, instruction);
  } else if (is_known_to_devices(address)) {
    check_host_access(address, bytes, write, instruction);
  }
}

__attribute__((noinline)) void observe_volatile(const void* address, unsigned bytes, bool write,
                                                const void* instruction) {
  if (is_only_observed()) {
    observe_unchecked({.address = address,
                       .bytes = bytes,
                       .reads = !write,
                       .writes = write,
                       .kind = AccessKind::is_volatile,
                       .instruction = instruction});
  } else if (is_known_to_devices(address)) {
    check_host_atomic(address, bytes, AtomicUse{.reads = !write, .writes = write}, instruction);
  }
}

void strong_access(const void* address, unsigned bytes, bool write, const void* instruction) {
  if (active_checker == nullptr) return observe_volatile(address, bytes, write, instruction);
  if (judge_volatile(address, bytes, write, instruction)) leave_out(address, bytes, instruction);
}

/// How an atomic changes a word.
enum class WordChange { of_value, blind, by_comparison, none };

/// True where the operation is to be left out.
bool atomic_access(const void* address, unsigned bytes, bool reads, bool writes, int order, const void* instruction,
                   WordChange change = WordChange::of_value) {
  constexpr unsigned kUseFollows = warpfiber::detail::checked_use_follows;
  const unsigned about = warpfiber::detail::checked_scope;
  const auto scope = static_cast<Scope>(about & ~kUseFollows);
  if (active_checker != nullptr)
    return judge_atomic(address, bytes,
                        AtomicUse{.reads = reads,
                                  .writes = writes,
                                  .scope = scope,
                                  .order = order,
                                  .blind = change == WordChange::blind,
                                  .compares = change == WordChange::by_comparison,
                                  .idle = change == WordChange::none,
                                  .before = change == WordChange::blind && may_access(address, bytes)
                                                ? warpfiber::check::value_at(address, bytes)
                                                : 0,
                                  .use_follows = (about & kUseFollows) != 0},
                        instruction);
  if (is_only_observed()) {
    observe_unchecked({address, bytes, reads, writes, AccessKind::atomic, scope, instruction});
  } else if (is_known_to_devices(address)) {
    check_host_atomic(address, bytes, AtomicUse{.reads = reads, .writes = writes}, instruction);
  }
  return false;
}

/// Parts of copies. True where the access is to be left out.
bool copy_access(const void* address, std::size_t bytes, bool write, const void* instruction) {
  if (bytes == 0) return false;
  if (active_checker != nullptr) return judge_range(address, bytes, write, instruction);
  range_access(address, bytes, write, instruction);
  return false;
}

/// What cannot be read is copied as 0.
template <class Copy>
inline void* copy(void* to, const void* from, std::size_t bytes, const void* instruction, Copy copy_bytes) {
  const bool no_source = copy_access(from, bytes, false, instruction);
  if (copy_access(to, bytes, true, instruction)) return to;
  return no_source ? std::memset(to, 0, bytes) : copy_bytes(to, from, bytes);
}

}  // namespace

// The names are the compilers'.
#define WARPFIBER_HOOK extern "C" __attribute__((visibility("default")))
#define WARPFIBER_HERE __builtin_return_address(0)

// NOLINTBEGIN(bugprone-reserved-identifier)

#define WARPFIBER_ACCESS(bytes)                                                      \
  WARPFIBER_HOOK WARPFIBER_STAYS void __tsan_read##bytes(void* at) {                 \
    aligned_access<bytes, false>(at, WARPFIBER_HERE);                                \
  }                                                                                  \
  WARPFIBER_HOOK WARPFIBER_STAYS void __tsan_write##bytes(void* at) {                \
    aligned_access<bytes, true>(at, WARPFIBER_HERE);                                 \
  }                                                                                  \
  WARPFIBER_HOOK void __tsan_read_write##bytes(void* at) {                           \
    if (active_checker == nullptr || !judge_range(at, bytes, false, WARPFIBER_HERE)) \
      return check_aligned_access<bytes, true>(at, WARPFIBER_HERE);                  \
    leave_out(at, bytes, WARPFIBER_HERE);                                            \
  }                                                                                  \
  WARPFIBER_HOOK void __tsan_volatile_read##bytes(void* at) {                        \
    strong_access(at, bytes, false, WARPFIBER_HERE);                                 \
  }                                                                                  \
  WARPFIBER_HOOK void __tsan_volatile_write##bytes(void* at) {                       \
    strong_access(at, bytes, true, WARPFIBER_HERE);                                  \
  }

#define WARPFIBER_UNALIGNED_ACCESS(bytes)                                                           \
  WARPFIBER_HOOK void __tsan_unaligned_read##bytes(void* at) {                                      \
    range_access(at, bytes, false, WARPFIBER_HERE);                                                 \
  }                                                                                                 \
  WARPFIBER_HOOK void __tsan_unaligned_write##bytes(void* at) {                                     \
    range_access(at, bytes, true, WARPFIBER_HERE);                                                  \
  }                                                                                                 \
  WARPFIBER_HOOK void __tsan_unaligned_read_write##bytes(void* at) {                                \
    if (copy_access(at, bytes, false, WARPFIBER_HERE)) return leave_out(at, bytes, WARPFIBER_HERE); \
    range_access(at, bytes, true, WARPFIBER_HERE);                                                  \
  }                                                                                                 \
  WARPFIBER_HOOK void __tsan_unaligned_volatile_read##bytes(void* at) {                             \
    strong_access(at, bytes, false, WARPFIBER_HERE);                                                \
  }                                                                                                 \
  WARPFIBER_HOOK void __tsan_unaligned_volatile_write##bytes(void* at) {                            \
    strong_access(at, bytes, true, WARPFIBER_HERE);                                                 \
  }

WARPFIBER_ACCESS(1)
WARPFIBER_ACCESS(2)
WARPFIBER_ACCESS(4)
WARPFIBER_ACCESS(8)
WARPFIBER_ACCESS(16)
WARPFIBER_UNALIGNED_ACCESS(2)
WARPFIBER_UNALIGNED_ACCESS(4)
WARPFIBER_UNALIGNED_ACCESS(8)
WARPFIBER_UNALIGNED_ACCESS(16)

// What calls to the hooks for words become where the code counts accesses itself (detail/counted_access.hpp).
WARPFIBER_HOOK WARPFIBER_STAYS void warpfiber_read4(void* at, std::ptrdiff_t counter) {
  aligned_access<4, false>(at, WARPFIBER_HERE, counter);
}
WARPFIBER_HOOK WARPFIBER_STAYS void warpfiber_write4(void* at, std::ptrdiff_t counter) {
  aligned_access<4, true>(at, WARPFIBER_HERE, counter);
}

WARPFIBER_HOOK void __tsan_init() {}
WARPFIBER_HOOK void __tsan_read_range(void* at, std::size_t bytes) {
  range_access(at, bytes, false, WARPFIBER_HERE);
}
WARPFIBER_HOOK void __tsan_write_range(void* at, std::size_t bytes) {
  range_access(at, bytes, true, WARPFIBER_HERE);
}
WARPFIBER_HOOK void __tsan_func_entry(void*) {}
WARPFIBER_HOOK void __tsan_func_exit() {}
WARPFIBER_HOOK void __tsan_vptr_update(void** at, void*) {
  aligned_access<8, true>(at, WARPFIBER_HERE);
  if (current_thread.worker == nullptr && is_known_to_devices(at)) warpfiber::memory::note_table_of_host(at);
}
WARPFIBER_HOOK void __tsan_vptr_read(void** at) {
  aligned_access<8, false>(at, WARPFIBER_HERE);
}

WARPFIBER_HOOK void* __tsan_memcpy(void* to, const void* from, std::size_t bytes) {
  return copy(to, from, bytes, WARPFIBER_HERE,
              [](void* a, const void* b, std::size_t n) { return std::memcpy(a, b, n); });
}

WARPFIBER_HOOK void* __tsan_memmove(void* to, const void* from, std::size_t bytes) {
  return copy(to, from, bytes, WARPFIBER_HERE,
              [](void* a, const void* b, std::size_t n) { return std::memmove(a, b, n); });
}

WARPFIBER_HOOK void* __tsan_memset(void* to, int value, std::size_t bytes) {
  return copy_access(to, bytes, true, WARPFIBER_HERE) ? to : std::memset(to, value, bytes);
}

// The host is stronger than any order that is asked for.
#define WARPFIBER_UPDATE(bits, type, operation, is_idle)                                           \
  WARPFIBER_HOOK type __tsan_atomic##bits##_fetch_##operation(type* at, type operand, int order) { \
    if (atomic_access(at, bits / 8, true, true, order, WARPFIBER_HERE,                             \
                      (is_idle) ? WordChange::none : WordChange::of_value))                        \
      return 0;                                                                                    \
    return __atomic_fetch_##operation(at, operand, __ATOMIC_SEQ_CST);                              \
  }

// A comparison that fails only reads. What is left out succeeds, or loops would go on for ever.
template <class T>
inline bool compare_exchange(T* at, T* expected, T value, bool weak, int order, int failed, const void* instruction) {
  if (active_checker != nullptr && !may_access(at, sizeof(T)) &&
      atomic_access(at, sizeof(T), true, true, order, instruction))
    return true;
  const bool done = __atomic_compare_exchange_n(at, expected, value, weak, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
  atomic_access(at, sizeof(T), true, done, done ? order : failed, instruction, WordChange::by_comparison);
  return done;
}

#define WARPFIBER_ATOMICS(bits, type)                                                                               \
  WARPFIBER_HOOK type __tsan_atomic##bits##_load(const type* at, int order) {                                       \
    if (atomic_access(at, bits / 8, true, false, order, WARPFIBER_HERE)) return 0;                                  \
    return __atomic_load_n(at, __ATOMIC_SEQ_CST);                                                                   \
  }                                                                                                                 \
  WARPFIBER_HOOK void __tsan_atomic##bits##_store(type* at, type value, int order) {                                \
    if (atomic_access(at, bits / 8, false, true, order, WARPFIBER_HERE)) return;                                    \
    __atomic_store_n(at, value, __ATOMIC_SEQ_CST);                                                                  \
  }                                                                                                                 \
  WARPFIBER_HOOK type __tsan_atomic##bits##_exchange(type* at, type value, int order) {                             \
    if (atomic_access(at, bits / 8, true, true, order, WARPFIBER_HERE, WordChange::blind)) return 0;                \
    return __atomic_exchange_n(at, value, __ATOMIC_SEQ_CST);                                                        \
  }                                                                                                                 \
  WARPFIBER_HOOK int __tsan_atomic##bits##_compare_exchange_strong(type* at, type* expected, type value, int order, \
                                                                   int failed) {                                    \
    return compare_exchange(at, expected, value, false, order, failed, WARPFIBER_HERE);                             \
  }                                                                                                                 \
  WARPFIBER_HOOK int __tsan_atomic##bits##_compare_exchange_weak(type* at, type* expected, type value, int order,   \
                                                                 int failed) {                                      \
    return compare_exchange(at, expected, value, true, order, failed, WARPFIBER_HERE);                              \
  }                                                                                                                 \
  WARPFIBER_HOOK type __tsan_atomic##bits##_compare_exchange_val(type* at, type expected, type value, int order,    \
                                                                 int failed) {                                      \
    compare_exchange(at, &expected, value, false, order, failed, WARPFIBER_HERE);                                   \
    return expected;                                                                                                \
  }                                                                                                                 \
  WARPFIBER_UPDATE(bits, type, add, operand == 0)                                                                   \
  WARPFIBER_UPDATE(bits, type, sub, operand == 0)                                                                   \
  WARPFIBER_UPDATE(bits, type, and, static_cast<type>(~operand) == 0)                                               \
  WARPFIBER_UPDATE(bits, type, or, operand == 0)                                                                    \
  WARPFIBER_UPDATE(bits, type, xor, operand == 0)                                                                   \
  WARPFIBER_UPDATE(bits, type, nand, false)

WARPFIBER_ATOMICS(8, unsigned char)
WARPFIBER_ATOMICS(16, unsigned short)
WARPFIBER_ATOMICS(32, unsigned)
WARPFIBER_ATOMICS(64, unsigned long)

WARPFIBER_HOOK void __tsan_atomic_thread_fence(int) {
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  if (active_checker == nullptr && !is_only_observed()) return;
  const Busy busy;
  const auto scope = static_cast<Scope>(warpfiber::detail::checked_scope);
  if (active_checker == nullptr) return warpfiber::engine::unchecked_accesses()->fence(scope);
  if (active_checker->sees_every_access()) warpfiber::engine::report_fence(scope);
  active_checker->flush();
  active_checker->sync().fence(scope);
}

WARPFIBER_HOOK void __tsan_atomic_signal_fence(int) {
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
}

// NOLINTEND(bugprone-reserved-identifier)

// What the initialisers of a program call whose threads may meet or wait for others than all of a warp, block, cluster
// or grid (warpfiber/detail/checked.hpp).

extern "C" __attribute__((visibility("default"))) void warpfiber_meets_some() {
  warpfiber::check::CheckState::of_process().meets_some = true;
}
