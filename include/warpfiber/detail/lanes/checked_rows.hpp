// SPDX-License-Identifier: Apache-2.0
// The claiming loop of checked programs. Each thread is a call of a function of its own, whose accesses are reported.
#pragma once

#include <warpfiber/detail/claim.hpp>

namespace warpfiber::detail::checked_lanes {

/// threadIdx, for the loops of checked programs, to whose threads built-in variables are constants.
extern constinit thread_local uint3 claimed WARPFIBER_OF_THREAD("threadIdx");

/// held_body, the other way round.
extern constinit const thread_local HeldBody body_to_threads WARPFIBER_OF_THREAD("warpfiber_held_body");
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

}  // namespace warpfiber::detail::checked_lanes
