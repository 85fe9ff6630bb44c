// SPDX-License-Identifier: Apache-2.0
// The claiming loop: runs threads of the current block, one after another, until one of them has waited or none is
// left. It is compiled with the kernel, so a kernel whose body is visible is inlined into it. Invariant: after a thread
// that has waited, the loop is no longer the claimer and leaves at once; the thread it would have gone on with belongs
// to another fiber by then.
#pragma once

#include <warpfiber/detail/counted_access.hpp>
#include <warpfiber/detail/wait.hpp>

#include <limits>
#include <type_traits>
#include <utility>

namespace warpfiber::detail {

/// Called with threadIdx.x one past the row that has been run: points the built-in variables at the next row; false if
/// there is none for this fiber (src/engine).
bool next_row();
/// Ends the running thread or the claiming of its block and says which fiber goes on.
Switch finish_claims();
/// Keeps the exception that left the kernel and ends the launch. Called inside the handler.
void kernel_threw() noexcept;
/// The running thread returns from its kernel here. Called by the kernels of checked programs.
void returning(Site site = Site::here());
/// What a fresh fiber does first.
void announce_entry();

/// Whether the compiler can see what a body does. Where it can, rows may be run without keeping the index in memory.
template <class Body>
inline constexpr bool kVisibleBody = requires {
  typename Body::Visible;
};

/// Whether no thread of a body has a loop or a wait in it, so that each ends after a bounded number of instructions.
/// The author of a native kernel says so (is_straight_line in launch.hpp), the translator that of a translated one.
/// Checked programs report each access with the index of its thread: their rows are none.
template <class Body>
constexpr bool is_straight_line() {
#ifndef WARPFIBER_CHECKED
  if constexpr (requires { Body::kIsStraightLine; }) return Body::kIsStraightLine;
#endif
  return false;
}
template <class Body>
inline constexpr bool kStraightLine = is_straight_line<Body>();

/// A copy of the body on this stack cannot be changed by what the kernel stores, so its operands may stay in registers,
/// if the compiler sees what the body does. Otherwise all stacks share the launch's, which stays in the caches; so they
/// do with one that gives threads addresses of its own parts, OneForAll.
inline constexpr std::size_t kCopiedBodyBytes = 128;
template <class Body>
inline constexpr bool kCopyable = std::is_trivially_copyable_v<Body> && sizeof(Body) <= kCopiedBodyBytes && !requires {
  typename Body::OneForAll;
};
template <class Body>
inline constexpr bool kCopyBody = kVisibleBody<Body>&& kCopyable<Body>;

/// Whether the parts of a body, a pointer to the kernel and its arguments, may be copied each for itself.
template <class Body>
inline constexpr bool kComesApart = kCopyable<Body>&& requires(const Body& body) {
  body.kernel;
  body.with_arguments;
};

/// The body as one row of threads uses it. It is read anew for every row through a pointer the compiler knows nothing
/// about: operands that lived across a switch, which takes all registers, would be kept in memory for the row as well.
template <class Body, bool kCopy = kCopyBody<Body>>
struct Row {
  explicit Row(const Body& from) : body(*unknown(&from)) {}
  static inline __attribute__((always_inline)) const Body* unknown(const Body* from) {
    asm("" : "+r"(from));
    return from;
  }
  const Body body;
};
template <class Body>
struct Row<Body, false> {
  explicit Row(const Body& from) : body(from) {}
  const Body& body;
};

/// The body of a checked program's launch, while that runs on the OS thread. Threads read it as a constant, of which
/// compilers report nothing, and which is not copied for each of them.
struct alignas(64) HeldBody {
  unsigned char bytes[kCopiedBodyBytes];
};
extern constinit thread_local HeldBody held_body asm("warpfiber_held_body") WARPFIBER_TLS_MODEL;

#ifdef WARPFIBER_CHECKED

/// threadIdx, for the loops of checked programs, to whose threads built-in variables are constants.
extern constinit thread_local uint3 claimed asm("threadIdx") WARPFIBER_TLS_MODEL;

/// held_body, the other way round.
extern constinit const thread_local HeldBody body_to_threads asm("warpfiber_held_body") WARPFIBER_TLS_MODEL;
template <class Body>
inline constexpr bool kHeld = kCopyable<Body> && alignof(Body) <= alignof(HeldBody);

/// One thread, in a function of its own: its accesses are reported, those of the loop around it are not.
template <class Body>
__attribute__((noinline, aligned(64))) void run_thread() {
  const void* body = &body_to_threads;
  (*static_cast<const Body*>(body))();
}
template <class Body>
__attribute__((noinline)) void run_thread(const Body& body) {
  body();
}

/// threadIdx.x and .y at once, as counted accesses read them: a processor cannot forward half of what a load wants.
inline __attribute__((always_inline, no_sanitize("thread"))) std::uint64_t claimed_xy() {
  std::uint64_t xy = 0;
  __builtin_memcpy(&xy, &claimed, sizeof xy);
  return xy;
}

/// Runs `count` threads from `xy`; false if this fiber is no longer the claimer.
template <class Body>
inline __attribute__((always_inline, no_sanitize("thread"))) bool run_threads_in_row(const Body& body, std::uint64_t xy,
                                                                                     unsigned count,
                                                                                     const Fiber* self) {
#pragma GCC unroll 8
  for (unsigned i = 0; i < count; ++i) {
    if constexpr (kHeld<Body>) {
      run_thread<Body>();
    } else {
      run_thread(body);
    }
    ++xy;
    __builtin_memcpy(&claimed, &xy, sizeof xy);
    if (WARPFIBER_UNLIKELY(current_thread.claimer != self)) return false;
  }
  return true;
}

template <class Body>
WARPFIBER_UNCHECKED void claim_rows(const Body& body) {
  const Fiber* const self = current_thread.claimer;
  if constexpr (kHeld<Body>) __builtin_memcpy(&held_body, &body, sizeof(Body));
  do {
    const unsigned end = current_thread.row_end;
    std::uint64_t xy = claimed_xy();
    for (; static_cast<unsigned>(xy) + WordsToCome::kAtOnce <= end; xy += WordsToCome::kAtOnce) {
      words_to_come.load(static_cast<unsigned>(xy));
      if (!run_threads_in_row(body, xy, WordsToCome::kAtOnce, self)) return;
    }
    if (!run_threads_in_row(body, xy, end - static_cast<unsigned>(xy), self)) return;
  } while (next_row());
}

template <class Body>
[[noreturn]] inline __attribute__((always_inline)) void claim_and_run(const Body& closure) {
  const std::conditional_t<kCopyBody<Body>, Body, const Body&> body = closure;
  announce_entry();
  for (;;) {
    current_thread.busy = false;
    try {
      claim_rows(body);
    } catch (...) {
      kernel_threw();
    }
    leave(finish_claims());
  }
}

#else

/// Runs one thread; false if this fiber is no longer the claimer.
template <class Body>
inline __attribute__((always_inline)) bool run_thread(const Row<Body>& row, unsigned& x, const Fiber* self) {
  row.body();
  threadIdx.x = ++x;
  const bool claims = !WARPFIBER_UNLIKELY(current_thread.claimer != self);
  asm volatile("" ::: "memory");
  return claims;
}

/// Runs the running thread by `call` and goes on to the next; false if this fiber is no longer the claimer, which is
/// null once a thread has waited. `index` is threadIdx.x.
template <class Call>
inline __attribute__((always_inline)) bool run_next_thread(const Call& call, unsigned& x, unsigned* index) {
  call();
  *index = ++x;
  return !WARPFIBER_UNLIKELY(has_waited());
}

/// Code goes on at half of a line of the instruction cache. Where a return leads to the last bytes of one, a call takes
/// a tenth longer.
inline __attribute__((always_inline)) void align_loop() {
#if defined(__x86_64__)
  asm volatile(".p2align 5");
#endif
}

/// Runs what is left of a row of threads by `call`; false likewise. Registers are scarce: the place of the index has
/// one, where a row ends none.
template <class Call>
inline __attribute__((always_inline)) bool run_next_threads(const Call& call) {
  unsigned* index = &threadIdx.x;
  asm volatile("" : "+r"(index));  // or compilers would find it anew for each thread
  unsigned x = *index;
  // Unrolled by hand: the pragma is forgotten where `call` is a lambda.
  while (current_thread.row_end - x >= 4) {
    align_loop();
    if (!run_next_thread(call, x, index)) return false;
    if (!run_next_thread(call, x, index)) return false;
    if (!run_next_thread(call, x, index)) return false;
    if (!run_next_thread(call, x, index)) return false;
  }
  while (x < current_thread.row_end) {
    if (!run_next_thread(call, x, index)) return false;
  }
  return true;
}

/// Runs what is left of a row of threads whose body is out of sight; false likewise. They are called with the kernel
/// and what fits of its arguments in registers: a call through memory takes longer.
template <class Body>
inline __attribute__((always_inline)) bool run_row(const Body& body) {
  if constexpr (kComesApart<Body>) {
    return body.with_arguments([&](auto... arguments) __attribute__((always_inline)) {
      const auto kernel = body.kernel;
      const auto call = [=]() __attribute__((always_inline)) {
        kernel(arguments...);
      };
      return run_next_threads(call);
    });
  } else {
    return run_next_threads(body);
  }
}

/// Up to where a thread's index in the grid is far enough from the end of an int.
inline constexpr unsigned kLastVectorBase = std::numeric_limits<int>::max() - 2 * kMostThreads;

/// A row of a straight-line body, which the compiler may vectorise. The loop counts what most kernels make of their
/// index, in the type they compare it in, and cannot overflow: g++ (-O3, or -fsplit-loops -ftree-loop-vectorize
/// -fvect-cost-model=dynamic) then takes `if (i < n)` out of the loop, which is to end at n, and vectorises the rest.
/// The running thread's index is then nowhere.
template <class Body>
inline __attribute__((always_inline)) bool run_straight_line_row(const Row<Body>& row, unsigned base, unsigned first,
                                                                 unsigned end) {
  using Index = typename Body::Index;
  const Fiber* const self = current_thread.claimer;
  const auto last = static_cast<Index>(base + end);
  for (auto at = static_cast<Index>(base + first); at < last;) {
    const unsigned x = static_cast<unsigned>(at) - base;
    threadIdx.x = x;
    row.body();
    ++at;
    threadIdx.x = x + 1;
    if (WARPFIBER_UNLIKELY(current_thread.claimer != self)) return false;
  }
  return true;
}

/// A row of a kernel that has not waited yet and may do so. What the compiler knows of the built-in variables it may
/// keep from thread to thread; only who runs is written and read for each.
template <class Body>
inline __attribute__((always_inline)) bool run_unwaited_row(const Row<Body>& row, unsigned first, unsigned end) {
  const Fiber* const self = current_thread.claimer;
#pragma GCC unroll 2
  for (unsigned x = first; x < end;) {
    threadIdx.x = x;
    row.body();
    *static_cast<volatile unsigned*>(&threadIdx.x) = ++x;
    if (WARPFIBER_UNLIKELY(*static_cast<Fiber* volatile*>(&current_thread.claimer) != self)) return false;
  }
  return true;
}

/// A row of a body that the compiler sees.
template <class Body>
inline __attribute__((always_inline)) bool run_visible_row(const Row<Body>& row) {
  const unsigned first = threadIdx.x;
  const unsigned end = current_thread.row_end;
  const unsigned base = blockIdx.x * blockDim.x;
  if constexpr (kStraightLine<Body>) {
    if (current_thread.straight_line_rows && base <= kLastVectorBase && first <= kMostThreads && end <= kMostThreads) {
      return run_straight_line_row(row, base, first, end);
    }
  }
  if (current_thread.unwaited_rows) return run_unwaited_row(row, first, end);
  const Fiber* const self = current_thread.claimer;
  for (unsigned x = first; x < end;) {
    if (!run_thread(row, x, self)) return false;
  }
  return true;
}

/// The first thread of a claim. As a rule the kernel is jumped to.
template <class Body>
__attribute__((noinline)) void begin_claiming(const Body& body) {
  const Row<Body> row(body);
  row.body();
}

/// The threads behind it, which has not waited: a function of its own, so that the loop has all registers.
template <class Body>
__attribute__((noinline)) void go_on_claiming() {
  ++threadIdx.x;
  do {
    const Body& body = *static_cast<const Body*>(current_thread.closure);  // found anew, it needs none
    if constexpr (kVisibleBody<Body>) {
      if (!run_visible_row(Row<Body>(body))) return;
    } else {
      if (!run_row(body)) return;
    }
  } while (next_row());
}

/// The code of all that a thread does; null where arguments may do something when they are copied.
template <class Body>
inline const void* code_of([[maybe_unused]] const Body& body) {
  if constexpr (kVisibleBody<Body>) {
    return reinterpret_cast<const void*>(&begin_claiming<Body>);
  } else if constexpr (kComesApart<Body>) {
    return reinterpret_cast<const void*>(body.kernel);
  } else {
    return nullptr;
  }
}

/// Returns when the fiber is to claim again.
template <class Body>
__attribute__((noinline)) void stop_claiming(const Body&) {
  leave(finish_claims());
  clear_busy();
}

/// Where every thread waits, each is the first of a claim and ends on a fiber that begins another. Processors predict
/// that a function returns to where the last call was made, whoever made it, and some that there is a return for each
/// call. So claiming and stopping to claim are called from one place, in turn.
template <class Body>
[[noreturn]] inline __attribute__((always_inline)) void claim_and_run(const Body& body) {
  announce_entry();
  current_thread.thread_code = code_of(body);
  current_thread.busy = false;
  auto* next = &stop_claiming<Body>;
  auto* other = &begin_claiming<Body>;
  asm volatile("" : "+r"(next), "+r"(other));  // or compilers might call each at a place of its own
  for (;;) {
    try {
      for (;;) {
        std::swap(next, other);
        next(body);
        if (next == &begin_claiming<Body> && !has_waited()) go_on_claiming<Body>();
      }
    } catch (...) {
      kernel_threw();
    }
  }
}

#endif

/// What a fiber does that runs `Body`, found through CurrentThread::closure. The switches are inlined in
/// what the kernel calls, so no return address is ever mispredicted.
template <class Body>
[[noreturn]] WARPFIBER_UNCHECKED void run_threads() {
  const Body& body = *static_cast<const Body*>(current_thread.closure);
  current_thread.straight_line_body = kStraightLine<Body>;
  claim_and_run(body);
}

}  // namespace warpfiber::detail
