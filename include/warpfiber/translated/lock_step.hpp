// SPDX-License-Identifier: Apache-2.0
// What translated source calls where lanes of a warp exchange values through volatile shared memory and no __syncwarp()
// says that each is to wait for the others, as was written for warps with one program counter: a step lets the other
// lanes come to theirs. And what loops ask that wait for a volatile word. src/compiler/translate/lock_step finds such
// text; nothing here is meant to be written by hand.
#pragma once

#include <warpfiber/detail/checked.hpp>
#include <warpfiber/detail/lanes/lanes.hpp>
#include <warpfiber/detail/unlocked.hpp>

#include <type_traits>

namespace warpfiber::detail {

/// The calling thread has gone through a loop many times that looks at memory and works
/// (src/execution/engine/liveness/spinning.cpp).
void worked_often(Site site);

/// The calling thread has been through a loop, and has changed nothing by which it could leave it.
void passed_idly(Site site);
/// It has left that loop.
void left_idle_loop();

}  // namespace warpfiber::detail

namespace warpfiber::cuda {

/// A step of the calling lane, if `place` is in shared memory.
inline WARPFIBER_UNCHECKED void in_step(const volatile void* place, Site site = Site::here()) {
#if !(defined(__CUDA_ARCH_LIST__) && __CUDA_ARCH_LIST__ + 0 < 700)  // before sm_70 lanes do run in lock-step
  if constexpr (warpfiber::detail::kHasHooks) warpfiber::detail::checked_step(place);
#endif
  if (warpfiber::detail::is_ours_alone(place)) warpfiber::detail::step_with_warp(site);
}

/// The same between what a lane has read to compute `value` and its storing it.
template <class Value>
requires std::is_scalar_v<Value>
inline WARPFIBER_UNCHECKED Value in_step_with(const volatile void* place, Value value, Site site = Site::here()) {
  in_step(place, site);
  return value;
}

/// Objects of classes are not copied: their copy constructors take no volatile ones.
template <class Value>
requires(!std::is_scalar_v<std::remove_cvref_t<Value>>) inline WARPFIBER_UNCHECKED Value&& in_step_with(
    const volatile void* place, Value&& value, Site site = Site::here()) {
  in_step(place, site);
  return static_cast<Value&&>(value);
}

/// What a loop reads that waits, anew each time: where it waits in vain a report names the word.
template <class Word>
inline WARPFIBER_UNCHECKED Word& polled(Word& word, [[maybe_unused]] Site site = Site::here()) {
  if constexpr (!warpfiber::detail::kRunsAsRegions) {
    if (WARPFIBER_UNLIKELY(warpfiber::detail::current_thread.notes_polls))
      warpfiber::detail::note_polled(
          const_cast<const void*>(static_cast<const volatile void*>(__builtin_addressof(word))), site);
  }
  return word;
}

/// Comes before what a loop of a checked program asks that waits for a volatile word.
inline WARPFIBER_UNCHECKED void comes_to_wait() {
  if constexpr (warpfiber::detail::kHasHooks) warpfiber::detail::checked_comes_to_wait();
}

/// Comes behind it. Whoever reads because it waits for a value reads again until it is there; any other read has to
/// be ordered with the write.
inline WARPFIBER_UNCHECKED bool still_waits(bool again) {
  if constexpr (warpfiber::detail::kHasHooks) warpfiber::detail::checked_waits(again);
  return again;
}

/// What a loop asks that waits for a volatile word to change and does nothing meanwhile. Each look that finds it
/// unchanged is a poll: after a few of them the calling thread lets others run. The end of a wait is progress: another
/// thread's plain store has changed the word. Checked programs report every access, so there the loads
/// are the polls.
inline WARPFIBER_UNCHECKED bool waits(bool again, [[maybe_unused]] Site site = Site::here()) {
  if constexpr (warpfiber::detail::kRunsAsRegions) {
    warpfiber::detail::let_others_run(nullptr, site);  // no region has such a loop
    return again;
  }
  if constexpr (warpfiber::detail::kHasHooks) return still_waits(again);
  auto& current = warpfiber::detail::current_thread;
  if (again) {
    warpfiber::detail::poll(nullptr, site);
    current.waiting = true;
  } else if (current.waiting) {
    current.waiting = false;
    ++current.progress;
  }
  return again;
}

/// The same for `if (waited(condition)) break;`.
inline WARPFIBER_UNCHECKED bool waited(bool leaves, Site site = Site::here()) {
  return !waits(!leaves, site);
}

/// What a loop asks whose passes change nothing by which it could end
/// (src/compiler/translate/lock_step/idle_loops.hpp): it may pause, and count. So the thread is where it was after each
/// pass, whatever its registers hold.
inline WARPFIBER_UNCHECKED void note_pass(bool again, [[maybe_unused]] Site site) {
  // No region has such a loop.
  if constexpr (warpfiber::detail::kRunsAsRegions) return warpfiber::detail::let_others_run(nullptr, site);
  auto& current = warpfiber::detail::current_thread;
  if (again) {
    warpfiber::detail::passed_idly(site);
    if constexpr (!warpfiber::detail::kHasHooks) warpfiber::detail::poll(nullptr, site);
    current.waiting = true;
  } else {
    warpfiber::detail::left_idle_loop();
    if (current.waiting) ++current.progress;
    current.waiting = false;
  }
}
inline WARPFIBER_UNCHECKED bool idles(bool again, Site site = Site::here()) {
  still_waits(again);
  note_pass(again, site);
  return again;
}

/// At the end of a pass of a loop that is left at several places, and where it is left.
inline WARPFIBER_UNCHECKED void passes(Site site = Site::here()) {
  note_pass(true, site);
}
inline WARPFIBER_UNCHECKED void leaves(Site site = Site::here()) {
  note_pass(false, site);
}

/// The same for `if (idled(condition)) break;`.
inline WARPFIBER_UNCHECKED bool idled(bool leaves, Site site = Site::here()) {
  return !idles(!leaves, site);
}

/// Each pass of a loop that looks at volatile memory and does other work as well. It says nothing about whether the
/// thread gets on; after many passes in a row others have their turn, since they may be what the thread looks for.
inline WARPFIBER_UNCHECKED void looked([[maybe_unused]] Site site = Site::here()) {
  if constexpr (warpfiber::detail::kRunsAsRegions) return warpfiber::detail::worked_often(site);
  if constexpr (warpfiber::detail::kHasHooks) return;
  if (WARPFIBER_UNLIKELY(--warpfiber::detail::current_thread.polls_left <= 0)) warpfiber::detail::worked_often(site);
}

}  // namespace warpfiber::cuda
