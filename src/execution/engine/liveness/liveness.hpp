// SPDX-License-Identifier: Apache-2.0
// The watchdog of a launch (docs/semantics.md, "The watchdog"). Threads that wait without ever getting on are found
// exactly where nothing but reads happens (spinning.cpp). Where they also meet at barriers, exchange values, read the
// clock, count or print, only time distinguishes them from threads that work: a launch is dead when for the watchdog's
// time no thread has started or returned and no memory has changed, or words that only count or alternate have, while
// all threads were seen in the same states again and again. Where threads repeat, time is the wall's, so that it passes
// on a busy machine too; where they may compute, it is what the machine has granted them (passed_time.hpp). Ticks of
// the launch's workers look, each at its own threads; one at a time. A launch that ends within a fraction of the
// watchdog's time costs nothing. Blocks that functions run are no threads that wait: those come to the same state again
// or they get on (loop_looks.hpp).
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "base/locks/annotated_mutex.hpp"
#include "engine/liveness/memory_changes.hpp"
#include "engine/liveness/passed_time.hpp"
#include "engine/liveness/thread_states.hpp"
#include "engine/signals/sample.hpp"

namespace warpfiber::engine {

struct Grid;
struct WorkerState;

/// What looks at one worker have found.
struct WorkerLooks {
  ThreadStates states{};
  std::vector<std::uint64_t> latest{};  // states, by fiber
  std::uint64_t threads = 0;            // a number for which threads have started and returned
  Moment moved{};                       // when that changed last
  Moment new_wait{};                    // when more than a few threads were last seen waiting in new states
  bool runs_loops = false;              // blocks are run by GridRequest::run_block
  bool circles_in_loops = false;        // such a block comes to one state again and again (LoopLooks)
  // How often, since it or memory changed, a thread was in another state than at the look before: in one that had been
  // seen, or in a new one.
  unsigned repeated = 0;
  unsigned fresh = 0;

  void start_over();
  /// True if the state is new.
  bool note(std::size_t fiber, std::uint64_t state);
  /// Whether threads go through the same states again and again. A loop has many states between two waits, so that
  /// threads that run or were preempted are met in new ones for long.
  bool circles() const { return repeated >= kRepeats && repeated >= fresh / kNewStates; }

 private:
  static constexpr unsigned kRepeats = 4;
  static constexpr unsigned kNewStates = 16;
};

class Liveness {
 public:
  static constexpr std::int64_t kLooks = 32;  // of each worker, in the watchdog's time

  /// `watchdog`: nanoseconds.
  Liveness(std::int64_t watchdog, std::size_t workers);

  /// A tick of `worker`, the `index`-th of its launch, looks at the launch at `now`. True if it seems dead, or may be
  /// soon: then somebody has to find out who outside can help. Not while the worker's lists change.
  bool look(WorkerState& worker, std::size_t index, const TickSample& sample, std::int64_t now);

  /// Whether it was dead at the last look, as far as can be seen from inside.
  bool is_over() const { return is_over_.load(); }
  /// Somebody outside can still help. They are asked again after a while.
  void postpone();
  /// Nobody outside can help now: whether that ends the launch. It does not yet where somebody could when they were
  /// asked last, as what they have done since then has not been looked at.
  bool ends_without_help();

 private:
  std::int64_t period() const { return watchdog_ / kLooks; }

  void look_again_soon() WARPFIBER_REQUIRES(mutex_);
  void look_at_threads(WorkerState& worker, WorkerLooks& looks, const TickSample& sample) WARPFIBER_REQUIRES(mutex_);
  void look_at_memory(WorkerState& worker) WARPFIBER_REQUIRES(mutex_);
  void look_at_loops(WorkerState& worker, WorkerLooks& looks) WARPFIBER_REQUIRES(mutex_);
  bool circle_in_loops(const Grid& grid) const WARPFIBER_REQUIRES(mutex_);
  bool is_over_on_fibers() const WARPFIBER_REQUIRES(mutex_);
  Moment still_since() const WARPFIBER_REQUIRES(mutex_);
  bool is_dead(const Grid& grid) const WARPFIBER_REQUIRES(mutex_);

  const std::int64_t watchdog_;
  base::Mutex mutex_;
  PassedTime time_ WARPFIBER_GUARDED_BY(mutex_);
  Moment changed_ WARPFIBER_GUARDED_BY(mutex_){};  // when memory changed last, or all began anew
  Moment counted_ WARPFIBER_GUARDED_BY(mutex_){};  // when words counted last, or text was printed
  Moment progressed_
      WARPFIBER_GUARDED_BY(mutex_){};  // when threads did what others could notice last: barriers, atomics
  std::uint64_t progress_ WARPFIBER_GUARDED_BY(mutex_) = 0;
  Moment memory_seen_ WARPFIBER_GUARDED_BY(mutex_){};
  bool has_warned_ WARPFIBER_GUARDED_BY(mutex_) = false;         // since memory changed
  bool had_help_ WARPFIBER_GUARDED_BY(mutex_) = false;           // DeviceShare::can_be_helped() when last called
  bool circled_in_loops_ WARPFIBER_GUARDED_BY(mutex_) = false;   // that was found: fibers have to end, too
  Moment left_loops_ WARPFIBER_GUARDED_BY(mutex_){};             // when it was
  std::int64_t time_of_loops_ WARPFIBER_GUARDED_BY(mutex_) = 0;  // that the blocks had taken by then
  std::atomic<bool> is_over_{false};
  std::uint64_t printed_ WARPFIBER_GUARDED_BY(mutex_) = 0;
  std::vector<WorkerLooks> workers_ WARPFIBER_GUARDED_BY(mutex_);
  MemoryChanges memory_ WARPFIBER_GUARDED_BY(mutex_);
};

/// The watchdog's look at the launch, made by the first tick that has to look.
Liveness& liveness_of(Grid& grid);

}  // namespace warpfiber::engine
