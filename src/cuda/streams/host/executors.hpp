// SPDX-License-Identifier: Apache-2.0
// OS threads of the process's own that run the work of streams: made when first needed, asleep while there is nothing
// to do. Counts who looks for work, threads of the program included, so that none is woken or made in vain. Invariant:
// all is under the mutex of the queues, which is dropped while a thread sleeps.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <functional>
#include <list>
#include <optional>

#include "base/locks/annotated_mutex.hpp"
#include "engine/run.hpp"
#include "engine/signals/runtime_thread.hpp"
#include "streams/state/streams_state.hpp"

namespace warpfiber::streams {

struct Executor {
  engine::RuntimeThread thread;
  std::atomic<bool> in_host_function{false};
};

class Executors {
 public:
  /// `before_thread` is called before one is made, and `serve` is what each does.
  Executors(void (*before_thread)(), std::function<void(Executor&)> serve);

  /// The calling thread will look for work before it sleeps, or no longer.
  void begin_looking() WARPFIBER_REQUIRES(queues_mutex()) { ++looking_; }
  void end_looking() WARPFIBER_REQUIRES(queues_mutex()) { --looking_; }

  /// Sees to it that so many threads look for work: wakes those that sleep, and makes those that are missing. False
  /// where the system has no thread or memory left.
  bool employ(std::size_t needed) WARPFIBER_REQUIRES(queues_mutex());

  /// The system refused the last one: whoever waits works.
  bool are_short() const WARPFIBER_REQUIRES(queues_mutex()) { return short_; }

  /// One that looks for work sleeps until employ() or the end wakes it; false where the time is over before.
  bool sleep(std::optional<std::chrono::milliseconds> most) WARPFIBER_REQUIRES(queues_mutex());

  /// From now on nobody works any more.
  void dismiss() WARPFIBER_REQUIRES(queues_mutex()) { dismissed_.store(true); }
  bool are_dismissed() const { return dismissed_.load(); }

  /// Waits for the ends of those that are dismissed.
  void join() WARPFIBER_EXCLUDES(queues_mutex());

 private:
  bool add() WARPFIBER_REQUIRES(queues_mutex());
  bool is_woken() const WARPFIBER_REQUIRES(queues_mutex()) { return wakes_ != 0 || dismissed_.load(); }

  void (*const before_thread_)();
  const std::function<void(Executor&)> serve_;
  base::Condition wake_;
  std::list<Executor> all_ WARPFIBER_GUARDED_BY(queues_mutex());
  // Threads that have been let go may still look at theirs.
  std::list<Executor> retired_ WARPFIBER_GUARDED_BY(queues_mutex());
  std::size_t looking_ WARPFIBER_GUARDED_BY(queues_mutex()) = 0;   // threads that will look for work before they sleep
  std::size_t sleeping_ WARPFIBER_GUARDED_BY(queues_mutex()) = 0;  // and that nobody has woken
  std::size_t wakes_ WARPFIBER_GUARDED_BY(queues_mutex()) = 0;     // that were woken and still seem to sleep
  bool short_ WARPFIBER_GUARDED_BY(queues_mutex()) = false;
  std::atomic<bool> dismissed_{false};  // written under the mutex
};

/// What kernels in a row need of the system, for as long as they are all that an OS thread runs. Belongs to that
/// thread.
class KernelSeries {
 public:
  /// The OS thread is about to run one more kernel, or something else, which ends the series.
  void prepare_for(bool is_kernel) {
    if (!is_kernel) {
      end();
    } else if (!series_.has_value()) {
      series_.emplace();
    }
  }
  void end() { series_.reset(); }

 private:
  std::optional<engine::LaunchSeries> series_;
};

}  // namespace warpfiber::streams
