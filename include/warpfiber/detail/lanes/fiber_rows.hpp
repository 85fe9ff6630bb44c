// SPDX-License-Identifier: Apache-2.0
// The claiming loop of programs without access hooks.
#pragma once

#include <warpfiber/detail/arch/words.hpp>
#include <warpfiber/detail/claim.hpp>

#include <limits>
#include <utility>

namespace warpfiber::detail::fiber_lanes {

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

/// Runs what is left of a row of threads by `call`; false likewise. Registers are scarce: the place of the index has
/// one, where a row ends none.
template <class Call>
inline __attribute__((always_inline)) bool run_next_threads(const Call& call) {
  unsigned* index = &threadIdx.x;
  asm volatile("" : "+r"(index));  // or compilers would find it anew for each thread
  unsigned x = *index;
  // Unrolled by hand: the pragma is forgotten where `call` is a lambda.
  while (current_thread.row_end - x >= 4) {
    arch::align_loop();
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

}  // namespace warpfiber::detail::fiber_lanes
