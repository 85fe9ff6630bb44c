// SPDX-License-Identifier: Apache-2.0
// Preemption: a thread that spins on a plain load calls nothing, so a timer signal looks at it now and then. A thread
// found in states that it was in before spins, and another fiber goes on: what it reads is the same wherever its turn
// ends. A thread that computes is left alone, so that the clock takes no decision about a schedule, except after a
// second of CPU time (Grid::ended_by_time). Linux on x86-64; elsewhere such threads run until the watchdog.
#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/signals/sample.hpp"
#include "engine/state/circles/spin_history.hpp"

namespace warpfiber::engine {

struct Grid;
class Worker;

/// From now on no thread is made to wait while it is in this code, which is the library's and would take longer if it
/// set CurrentThread::busy. Any thread may call.
void never_wait_in(const char* begin, const char* end);
bool never_waits_in(const void* instruction);

/// Watches the thread that a worker runs. Belongs to the worker; `tick` runs in its signal handler.
class Sampler {
 public:
  /// The worker enters a launch or leaves it.
  void start(const Grid& grid);
  void stop();

  void tick(Worker& worker, const TickSample& sample);

  /// Whether code of the module that holds the kernel was interrupted, and not the C library's.
  bool is_kernel_code(const void* instruction) const {
    const char* at = static_cast<const char*>(instruction);
    return at >= code_begin_ && at < code_end_;
  }

 private:
  std::uint64_t look_at(const Worker& worker, const TickSample& sample, std::int64_t now);
  bool same_thread_as_before(Worker& worker, std::int64_t ran);
  [[noreturn]] void leave_to_fibers(Worker& worker);
  void look_for_life(Worker& worker, const TickSample& sample);
  void give_turn(Worker& worker, const TickSample& sample, std::uint64_t state);
  static void end_time(Worker& worker, const TickSample& sample);
  bool known_spin(const void* instruction) const;
  void learn_spin(const void* instruction);

  const void* module_of_ = nullptr;  // the code whose module code_begin_ … code_end_ is
  const char* code_begin_ = nullptr;
  const char* code_end_ = nullptr;

  std::uint64_t launch_ = 0;  // counts launches
  std::uint64_t seen_launch_ = 0;
  std::uint64_t seen_thread_ = ~std::uint64_t{0};
  std::uint64_t seen_progress_ = 0;
  std::uint64_t last_progress_ = 0;
  static constexpr std::int64_t kNever = -1;
  std::int64_t seen_cpu_ = kNever;  // nanoseconds of this OS thread, of which the last tick took none
  std::int64_t rest_until_ = 0;
  std::int64_t spent_cpu_ = 0;  // by the same thread of the grid without any event
  std::int64_t busy_cpu_ = 0;   // by the same thread of the grid, event after event
  std::int64_t stuck_cpu_ = 0;  // by all threads that were made to take turns, without any event
  std::uint64_t seen_yields_ = 0;
  bool yielded_ = false;     // some thread has let others run since the last tick
  bool took_turns_ = false;  // the thread changed because the last tick made it
  std::int64_t watchdog_ = 0;
  std::int64_t next_look_ = 0;  // of the launch's Liveness, by the wall's clock; 0: no tick has come yet
  SpinHistory history_;
  const void* spin_low_ = nullptr;  // instructions of loops that were found to spin
  const void* spin_high_ = nullptr;
};

/// Signal handlers of this process for as long as a launch runs; one for each launch, whatever its workers.
class FaultHandlers {
 public:
  FaultHandlers();
  ~FaultHandlers();
  FaultHandlers(const FaultHandlers&) = delete;
  FaultHandlers& operator=(const FaultHandlers&) = delete;
};

/// Gives the calling OS thread its timer and a stack for fault handlers, and the thread's own stack for them back.
void prepare_os_thread();
void release_os_thread();

/// The running thread of a kernel never comes back. Calls work(data), which does not return, on a stack with room and
/// with the signals of the host.
[[noreturn]] void leave_to_host(void (*work)(void*), void* data);

/// What ticks take of the interrupted thread's stack, in bytes, on top of what the thread itself was given.
std::size_t stack_for_ticks();

/// No tick interrupts the handler of another, or a busy machine would pile them up on one stack. The handler says when
/// it goes on as another fiber, and when it is back.
void allow_ticks();
void forbid_ticks();

/// Threads of this launch spin on plain loads: ticks come more often until it ends, since each such wait ends with one.
void tick_faster();

}  // namespace warpfiber::engine
