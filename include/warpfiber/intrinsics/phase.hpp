// SPDX-License-Identifier: Apache-2.0
// The word of memory that libcu++'s barriers and the PTX mbarrier are made of: how many arrivals a phase expects, how
// many are pending, how many bytes of asynchronous copies, and the parity of the phase. Kernels and host code change it
// with the host's atomics. Misuse ends the launch with the finding `cg-misuse` (PTX ISA, "mbarrier").
// Invariant: a word that was initialised carries a mark which fresh memory does not.
#pragma once

#include <warpfiber/detail/checked.hpp>
#include <warpfiber/detail/group.hpp>
#include <warpfiber/detail/lanes/lanes.hpp>

#include <cstddef>
#include <cstdint>

namespace warpfiber::detail {

/// The fields of a word, from the lowest bit: expected arrivals, pending arrivals, pending bytes (biased), mark,
/// parity.
template <unsigned kCountBits, unsigned kByteBits>
struct PhaseFields {
  static constexpr std::uint64_t kMaxCount = (std::uint64_t{1} << kCountBits) - 1;
  static constexpr std::uint64_t kOnePending = std::uint64_t{1} << kCountBits;
  static constexpr unsigned kByteShift = 2 * kCountBits;
  static constexpr std::uint64_t kNoBytes = kByteBits == 0 ? 0 : std::uint64_t{1} << (kByteBits - 1);
  static constexpr std::uint64_t kByteMask = (std::uint64_t{1} << kByteBits) - 1;
  static constexpr unsigned kMarkShift = 2 * kCountBits + kByteBits;
  static constexpr std::uint64_t kMarkMask = (std::uint64_t{1} << (63 - kMarkShift)) - 1;
  static constexpr std::uint64_t kMark = 1;
  static constexpr std::uint64_t kParity = std::uint64_t{1} << 63;

  static constexpr std::uint64_t expected(std::uint64_t word) { return word & kMaxCount; }
  static constexpr std::uint64_t pending(std::uint64_t word) { return word >> kCountBits & kMaxCount; }
  /// Bytes announced and not yet copied; below zero: copied before they were announced.
  static constexpr std::int64_t bytes(std::uint64_t word) {
    return static_cast<std::int64_t>(word >> kByteShift & kByteMask) - static_cast<std::int64_t>(kNoBytes);
  }
  static constexpr bool initialised(std::uint64_t word) {
    return (word >> kMarkShift & kMarkMask) == kMark && pending(word) <= expected(word);
  }
  static constexpr std::uint64_t make(std::uint64_t count) {
    return kMark << kMarkShift | kNoBytes << kByteShift | count * kOnePending | count;
  }
  static constexpr bool is_complete(std::uint64_t word) { return pending(word) == 0 && bytes(word) == 0; }
  /// The word of the next phase.
  static constexpr std::uint64_t next(std::uint64_t word) {
    return ((word ^ kParity) & ~(kMaxCount << kCountBits)) | expected(word) * kOnePending;
  }
};

/// What fits into the mbarrier of PTX: counts to 2^20 - 1, bytes to 2^20 - 1.
using MbarrierFields = PhaseFields<20, 21>;
/// Barriers of wider scopes than a block count to 2^30 - 1 and know no bytes.
using WideFields = PhaseFields<30, 0>;

static_assert(!MbarrierFields::initialised(0x5ead5ead5ead5eadU) && !WideFields::initialised(0x5ead5ead5ead5eadU) &&
                  !MbarrierFields::initialised(0) && !WideFields::initialised(0),
              "memory that nobody has written must not look like a barrier");

/// What a thread waits for, for reports.
struct PhaseWait {
  const char* call;
  std::uint64_t expected;  // 0: a semaphore, for which nothing in particular is expected
  std::uint64_t pending;
  std::int64_t bytes;
  bool group = false;  // one thread of each block of a cooperative group arrives, and nobody else
  int number = -1;     // of a barrier of the block that has one (named_barrier.hpp)
  int parity = -1;     // of the phase that is awaited, which is the barrier's present one; below 0: it has none
};

/// Lets other threads run because the barrier at `address`, which holds `word`, has not reached the next phase. If
/// nothing changes any more the launch ends with a finding. Outside a kernel the OS runs others.
void wait_for_phase(const void* address, std::uint64_t word, const PhaseWait& wait, Site site);

/// The same for a thread that may do something else after another look.
void look_again(const void* address, const PhaseWait& wait, Site site);

/// The thread has arrived at the barrier at `word`. That is no progress if it is in a loop whose passes change nothing
/// by which it could leave it (src/compiler/translate/lock_step/idle_loops.hpp).
void note_arrival(const void* word, Site site);

/// Counts a look that found the phase not over; after a few of them in a row the thread lets the others run.
void looked_often(const void* address, const PhaseWait& wait, Site site);
inline void count_look(const void* address, const PhaseWait& wait, Site site) {
  if (WARPFIBER_UNLIKELY(--current_thread.polls_left <= 0)) looked_often(address, wait, site);
}

/// The time of a thread that waits for at most so many nanoseconds. It passes in looks at which nobody else has got on:
/// as many as the number has bits, so 20 for a millisecond; and not for ever where others always get on.
class Looks {
 public:
  explicit Looks(std::int64_t nanoseconds)
      : idle_(nanoseconds < 1 ? 0 : 64 - __builtin_clzll(static_cast<unsigned long long>(nanoseconds))) {}

  /// Lets others run before another look at the word; false when the time is over.
  bool again(const void* address, const PhaseWait& wait, Site site) {
    const std::uint64_t progress = current_thread.progress;
    if ((seen_ == kNever || progress == seen_) && --idle_ < 0) return false;
    seen_ = progress;
    if (--left_ == 0) return false;
    look_again(address, wait, site);
    return true;
  }

 private:
  static constexpr std::uint64_t kNever = ~std::uint64_t{0};

  int idle_;
  unsigned left_ = 1U << 16;
  std::uint64_t seen_ = kNever;
};

/// Lets other threads run until one of them has initialised the barrier at `word`: whoever comes first, the two are a
/// race. False if nobody does.
bool is_made_by_others(const std::uint64_t* word, bool (*initialised)(std::uint64_t), const char* call, Site site);

/// Why a call to a barrier is refused.
enum class PhaseMisuse { uninitialised, count_range, too_many_arrivals, byte_range };
/// `word` is that of the barrier, `limit` the most that would have been right, `given` what was given.
[[noreturn]] void phase_misuse(PhaseMisuse what, const char* call, const std::uint64_t* word, std::uint64_t limit,
                               std::int64_t given, Site site);

/// Operations on such a word.
template <class Fields>
struct Phase {
  WARPFIBER_AT_CALLER static std::uint64_t load(const std::uint64_t* word) {
    return __atomic_load_n(word, __ATOMIC_ACQUIRE);
  }

  /// Sees that a barrier is there: the word, or what it holds when another thread has initialised it.
  WARPFIBER_AT_CALLER static std::uint64_t check(const std::uint64_t* at, std::uint64_t word, const char* call,
                                                 Site site) {
    if (WARPFIBER_LIKELY(Fields::initialised(word))) return word;
    if constexpr (kHasHooks) {
      if (is_made_by_others(at, &Fields::initialised, call, site)) return load(at);
    }
    phase_misuse(PhaseMisuse::uninitialised, call, at, 0, 0, site);
  }

  WARPFIBER_AT_CALLER static void expect(const std::uint64_t* word, const char* call, Site site) {
    check(word, load(word), call, site);
  }

  WARPFIBER_AT_CALLER static void init(std::uint64_t* word, std::int64_t count, const char* call, Site site) {
    if (count < 0 || static_cast<std::uint64_t>(count) > Fields::kMaxCount) {
      phase_misuse(PhaseMisuse::count_range, call, word, Fields::kMaxCount, count, site);
    }
    *word = Fields::make(static_cast<std::uint64_t>(count));  // plain: nobody may use it meanwhile
    report_end(word);                                         // of what came before, and phases follow
    report_begin(word, true);
    note_write(word, site);
  }

  WARPFIBER_AT_CALLER static void invalidate(std::uint64_t* word, const char* call, Site site) {
    expect(word, call, site);
    *word = 0;
    note_write(word, site);
  }

  /// Takes `arrivals` and `drops` from the phase and adds `bytes`. Returns the word before. The phase ends if nothing
  /// is pending any more, unless the caller has to end it.
  WARPFIBER_AT_CALLER static std::uint64_t change(std::uint64_t* word, std::int64_t arrivals, std::int64_t drops,
                                                  std::int64_t bytes, bool ends_phase, const char* call, Site site) {
    std::uint64_t old = __atomic_load_n(word, __ATOMIC_RELAXED);
    for (;;) {
      old = check(word, old, call, site);
      if (arrivals < 0 || static_cast<std::uint64_t>(arrivals) > Fields::pending(old)) {
        phase_misuse(PhaseMisuse::too_many_arrivals, call, word, Fields::pending(old), arrivals, site);
      }
      std::uint64_t now =
          old - static_cast<std::uint64_t>(arrivals) * Fields::kOnePending - static_cast<std::uint64_t>(drops);
      if (bytes != 0) now = add_bytes(word, now, bytes, call, site);
      const bool is_last = ends_phase && Fields::is_complete(now) && (arrivals != 0 || bytes != 0);
      if (is_last) now = Fields::next(now);
      // An arrival learns nothing of those before it: only who waits does, and who ends the phase.
      if (!__atomic_compare_exchange_n(word, &old, now, true, __ATOMIC_RELEASE, __ATOMIC_RELAXED)) continue;
      if (is_last) {
        report_end(word);
        report_begin(word, false);
      }
      break;
    }
    if (drops == 0 && bytes == 0) {
      note_arrival_at(word, site);
    } else {
      note_write(word, site);
    }
    return old;
  }

  /// By the last thread to arrive, before it ends the phase: what was done before the other arrivals comes before this.
  WARPFIBER_AT_CALLER static void acquire_arrivals(const std::uint64_t* word) {
    report_end(word);
    static_cast<void>(load(word));
  }

  static void end(std::uint64_t* word, Site site) {
    __atomic_store_n(word, Fields::next(load(word)), __ATOMIC_RELEASE);
    report_end(word);
    report_begin(word, false);
    note_arrival_at(word, site);
  }

  /// Whether the phase of this parity is over.
  WARPFIBER_AT_CALLER static bool is_over(const std::uint64_t* word, bool parity, const char* call, Site site) {
    const std::uint64_t now = check(word, load(word), call, site);
    return saw_end(word, (now & Fields::kParity) != (parity ? Fields::kParity : 0));
  }

  /// The same for a thread that asks again and again.
  WARPFIBER_AT_CALLER static bool test(const std::uint64_t* word, bool parity, const char* call, Site site) {
    if (is_over(word, parity, call, site)) return true;
    count_look(word, wait_of(load(word), call), site);
    return false;
  }

  /// Returns when the phase of this parity is over.
  WARPFIBER_AT_CALLER static void wait(const std::uint64_t* word, bool parity, const char* call, Site site) {
    for (;;) {
      const std::uint64_t now = check(word, load(word), call, site);
      if (saw_end(word, (now & Fields::kParity) != (parity ? Fields::kParity : 0))) return;
      wait_for_phase(word, now, wait_of(now, call), site);
    }
  }

  /// Whether all arrivals of a phase that nobody ends have come.
  WARPFIBER_AT_CALLER static bool has_come(const std::uint64_t* word, const char* call, Site site) {
    const std::uint64_t now = check(word, load(word), call, site);
    if (Fields::pending(now) == 0) return true;
    count_look(word, PhaseWait{call, Fields::expected(now), Fields::pending(now), 0}, site);
    return false;
  }

  WARPFIBER_AT_CALLER static void wait_for_all(const std::uint64_t* word, const char* call, Site site) {
    for (;;) {
      const std::uint64_t now = check(word, load(word), call, site);
      if (Fields::pending(now) == 0) return;
      wait_for_phase(word, now, PhaseWait{call, Fields::expected(now), Fields::pending(now), 0}, site);
    }
  }

  /// True when the phase of this parity is over; false after so many nanoseconds.
  WARPFIBER_AT_CALLER static bool wait_for_time(const std::uint64_t* word, bool parity, std::int64_t nanoseconds,
                                                const char* call, Site site) {
    Looks looks(nanoseconds);
    do {
      if (is_over(word, parity, call, site)) return true;
    } while (looks.again(word, wait_of(load(word), call), site));
    return false;
  }

 private:
  static void note_arrival_at(const std::uint64_t* word, Site site) {
    if constexpr (!kRunsAsRegions) {
      if (WARPFIBER_UNLIKELY(current_thread.waiting)) return note_arrival(word, site);
    }
    note_write(word, site);
  }

  static void report_end([[maybe_unused]] const std::uint64_t* word) {
    checked_meets_some();
    if constexpr (kHasHooks) checked_phase_end(word);
  }

  /// The first phase, or the next one.
  static void report_begin([[maybe_unused]] const std::uint64_t* word, [[maybe_unused]] bool is_first) {
    if constexpr (kHasHooks) checked_phase_begin(word, is_first);
  }

  static bool saw_end([[maybe_unused]] const std::uint64_t* word, bool over) {
    checked_meets_some();
    if (kHasHooks && over) checked_phase_seen(word);
    return over;
  }

  static PhaseWait wait_of(std::uint64_t word, const char* call) {
    const int parity = (word & Fields::kParity) != 0 ? 1 : 0;
    return {call, Fields::expected(word), Fields::pending(word), Fields::bytes(word), false, -1, parity};
  }

  static std::uint64_t add_bytes(const std::uint64_t* at, std::uint64_t word, std::int64_t bytes, const char* call,
                                 Site site) {
    const std::int64_t sum = Fields::bytes(word) + bytes;
    constexpr auto kLimit = static_cast<std::int64_t>(Fields::kNoBytes);
    if (sum >= kLimit || sum <= -kLimit) {
      phase_misuse(PhaseMisuse::byte_range, call, at, Fields::kNoBytes - 1, sum, site);
    }
    return (word & ~(Fields::kByteMask << Fields::kByteShift)) | static_cast<std::uint64_t>(sum + kLimit)
                                                                     << Fields::kByteShift;
  }
};

/// Operations on the mbarrier of PTX.
using Mbarrier = Phase<MbarrierFields>;

}  // namespace warpfiber::detail
