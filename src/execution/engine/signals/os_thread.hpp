// SPDX-License-Identifier: Apache-2.0
// What an OS thread needs to run kernels: a timer for ticks, a stack for handlers of faults, and its signals held back.
// Linux.
#pragma once

#include <signal.h>
#include <time.h>

namespace warpfiber::engine {

// Ignored by default, so a late tick harms no program, and left alone by debuggers.
inline constexpr int kTick = SIGURG;
inline constexpr long kTickNanoseconds = 1'000'000;
inline constexpr long kFastTickNanoseconds = 100'000;

/// The OS's number of the calling thread.
int os_thread_number();

/// The value that the signals of our timers carry.
const void* mark_of_ticks();

/// What the calling OS thread is given, and what it had before. Taken back at the latest when the thread ends.
struct OsThread {
  ~OsThread();

  /// The thread is the runtime's own. From here on it holds the program's signals whenever it runs nothing of the
  /// program's, and has `mask` while it does.
  void belong_to_runtime(const sigset_t& mask);
  /// Before each launch.
  void prepare();
  /// After each launch: the thread gets back what it had, unless it is in a series. `ticks_end`: no tick may come
  /// later.
  void pause(bool ticks_end);
  /// The thread gets back what it had, if it has not yet.
  void release();
  /// The time from one tick to the next; 0: no more ticks.
  void set_ticks(long nanoseconds);

  /// The next tick comes a whole period from now, and not at once.
  void postpone_tick();

  bool in_series = false;  // of launches, between which the thread runs nothing of the program
  bool is_runtimes = false;
  bool is_prepared = false;
  bool holds_signals = false;
  stack_t own_stack{};  // the thread's own, while it is prepared
  sigset_t own_mask{};  // likewise; of a thread of the runtime: the one for code of the program, always

 private:
  void make_timer();
  bool make_fault_stack();

  timer_t timer_{};
  bool has_timer_ = false;
  long period_ = 0;  // of ticks, in nanoseconds; 0: none
  char* fault_stack_ = nullptr;
};

OsThread& this_os_thread();

}  // namespace warpfiber::engine
