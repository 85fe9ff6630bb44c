// SPDX-License-Identifier: Apache-2.0
// Finds host functions of streams that will never return, because they and all other threads of the process sleep until
// one of them wakes another (futex(2) without a time limit), for as long as the watchdog's time. A thread of its own
// looks, four times in that time, and only while host functions run.
// Invariant: the mutex guards all members but the thread, and is not held while the process is looked at.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "base/locks/annotated_mutex.hpp"
#include "engine/signals/runtime_thread.hpp"
#include "process/user_call.hpp"
#include "record/finding.hpp"
#include "record/stream_observer.hpp"

namespace warpfiber::streams {

class HostFunctionWatch {
 public:
  /// The program's calls that wait for streams; nothing where streams have work that will end without their help.
  using FindWaits = std::function<std::optional<std::vector<process::UserCall>>()>;
  /// Reports and ends the process.
  using Leave = void (*)(record::Finding finding);

  /// From now on host functions are watched. Only the first call counts. Where the system has no thread for this they
  /// are not watched.
  void start(FindWaits find_waits, Leave leave);
  /// Not for the watch's own thread.
  void stop();

  /// Called by the OS thread that runs the host function.
  void begin(const record::OperationFacts& function);
  void end(const record::OperationFacts& function);

  std::size_t running() const;
  /// Whether what runs will never return.
  bool are_dead() const;

 private:
  struct Sleep;

  void serve();
  bool pause();
  std::vector<record::OperationFacts> give_up();
  std::optional<Sleep> look();

  mutable base::Mutex mutex_;
  base::Condition changed_;
  std::vector<record::OperationFacts> running_ WARPFIBER_GUARDED_BY(mutex_);
  std::uint64_t begun_ WARPFIBER_GUARDED_BY(mutex_) = 0;  // host functions
  bool stopped_ WARPFIBER_GUARDED_BY(mutex_) = false;
  bool dead_ WARPFIBER_GUARDED_BY(mutex_) = false;
  // Set by start() before there is the thread, which calls them.
  FindWaits find_waits_;
  Leave leave_ = nullptr;
  std::optional<engine::RuntimeThread> thread_ WARPFIBER_GUARDED_BY(mutex_);
};

}  // namespace warpfiber::streams
