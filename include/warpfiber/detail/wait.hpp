// SPDX-License-Identifier: Apache-2.0
// Waiting, as the functions of lanes/ inline it: a handful of instructions and one switch when the next thread is
// already known, and a call into the engine (src/execution/engine) in every other case. Called by the thread that
// waits, inside a kernel.
#pragma once

#include <warpfiber/detail/current_thread.hpp>

#include <type_traits>

namespace warpfiber::detail {

/// What a slow path decided: `from` leaves and `to` goes on. Where `to` is null, or the same, the caller goes on.
struct Switch {
  Fiber* from;
  Fiber* to;
};

// The engine's slow paths. Those that return a Switch leave it to the caller to do it, so that it is inlined into the
// kernel: a fiber that is resumed inside a called function returns to a place the processor did not predict.
Switch arrive_at_barrier(Operation kind, bool predicate, Site site);
Switch arrive_at_collective(const Collective& collective, std::uint64_t mask, LaneArgument* argument);
Switch arrive_at_grid_barrier(Site site);
Switch arrive_at_multi_grid_barrier(Site site);
Switch arrive_at_cluster_barrier(Site site);
unsigned wait_at_barrier(Operation kind, bool predicate, Site site);
void let_others_run(const void* address, Site site);
/// The running thread polls the word at `address`, and CurrentThread::notes_polls is set.
void note_polled(const void* address, Site site);
void polled_often(const void* address, Site site);
/// The same for a poll that only its instruction identifies.
void polled_often_at(const void* address, const void* instruction);
void note_polled_at(const void* address, const void* instruction);
/// The thread has changed memory as often as CurrentThread::ask_from says: its turn may be over.
void wrote_often(const void* address, Site site);

/// switch_stack() that also informs AddressSanitizer.
void switch_announced(Fiber* from, Fiber* to);

inline WARPFIBER_INLINED void leave(Switch decided) {
  if (decided.to == nullptr || decided.to == decided.from) return;
#ifdef WARPFIBER_CALLED_SWITCH
  switch_announced(decided.from, decided.to);
#else
  switch_stack(decided.from, decided.to);
#endif
}

/// `soon` runs after the next fiber; where hundreds of thousands of threads are alive, neither it nor its stack is in
/// any cache. Its own line was fetched one switch ago, so its stack can be now, and the line of the fiber after it. (At
/// the end of the list `soon` is null or a fiber of this launch that is linked elsewhere by now; fetching is then of no
/// use.)
inline WARPFIBER_INLINED void fetch_ahead(const Fiber* soon) {
  if (soon == nullptr) return;
  __builtin_prefetch(soon->next);
  const char* stack = static_cast<const char*>(soon->stack_pointer);
  __builtin_prefetch(stack, 1);
  __builtin_prefetch(stack + 64, 1);
}

#ifdef WARPFIBER_INLINE_WAITS
/// Enters the next ready fiber of the running block. `self` has been put into a list, and some fiber is ready.
inline WARPFIBER_INLINED void switch_to_ready(CurrentThread& current, Block& block, Fiber* self) {
  Fiber* next = block.ready.pop();
  current.waitable = next;
  threadIdx = next->thread_index;
  switch_stack(self, next);
  clear_busy();
}
#endif

inline WARPFIBER_INLINED void grid_barrier(Site site) {
#ifdef WARPFIBER_INLINE_WAITS
  CurrentThread& current = here();
  Fiber* self = current.waitable;
  if (WARPFIBER_LIKELY(self != nullptr)) {
    current.busy = true;
    Block& block = *current.block;
    WideBarrier& barrier = block.grid_barrier;
    const bool same_site =
        barrier.site.line == site.line && barrier.site.column == site.column && barrier.site.file == site.file;
    if (WARPFIBER_LIKELY(same_site && barrier.arrived + 1 != block.live && !block.ready.empty())) {
      ++barrier.arrived;
      barrier.waiting.append(self);
      fetch_ahead(block.ready.head->next);
      switch_to_ready(current, block, self);
      return;
    }
  }
#endif
  leave(arrive_at_grid_barrier(site));
  clear_busy();
}

/// The lanes that a call names: `named` itself where it is a number; else what it says of the calling lane.
template <class Named>
inline WARPFIBER_INLINED std::uint64_t lanes_at(const Named& named, unsigned lane) {
  if constexpr (std::is_integral_v<Named>) {
    return named;
  } else {
    return named.at(lane);
  }
}

/// The same where the thread's lane may not be set yet.
template <class Named>
inline WARPFIBER_INLINED std::uint64_t lanes_here(const Named& named) {
  if constexpr (std::is_integral_v<Named>) {
    return named;
  } else {
    return named.here();
  }
}

inline constexpr int kPollsBeforeYield = 16;

/// Lets others run. Where threads poll, the next poll does so in place of this call: reports name what is polled.
inline void sleep(Site site) {
  CurrentThread& current = current_thread;
  if (current.asleep || current.polls_left >= kPollsBeforeYield) return let_others_run(nullptr, site);
  current.asleep = true;
  current.polls_left = 1;
}

}  // namespace warpfiber::detail
