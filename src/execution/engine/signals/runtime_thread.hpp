// SPDX-License-Identifier: Apache-2.0
// OS threads of the runtime's own. Signals that come for the process are for threads of the program, which may have
// blocked them and wait for them: a thread of the runtime takes them only while it runs code of the program. Linux.
#pragma once

#include <thread>
#include <utility>

#include "engine/signals/host_signals.hpp"
#include "engine/signals/os_thread.hpp"

namespace warpfiber::engine {

/// While this lives, the calling OS thread holds the program's signals, and so do threads that it starts, from their
/// first instruction on.
class HeldSignals {
 public:
  HeldSignals() { hold_signals(own_); }
  ~HeldSignals() { ::pthread_sigmask(SIG_SETMASK, &own_, nullptr); }
  HeldSignals(const HeldSignals&) = delete;
  HeldSignals& operator=(const HeldSignals&) = delete;

  const sigset_t& own() const { return own_; }

 private:
  sigset_t own_;
};

/// An OS thread of the runtime's, or none. To be joined or detached before it is destroyed.
class RuntimeThread {
 public:
  RuntimeThread() = default;
  /// Calls run() there. Code of the program has the calling thread's mask of signals. Errors: std::system_error.
  template <class Run>
  explicit RuntimeThread(Run run) {
    const HeldSignals inherited;
    thread_ = std::thread([mask = inherited.own(), run = std::move(run)] {
      this_os_thread().belong_to_runtime(mask);
      run();
    });
  }

  bool is_calling() const { return thread_.get_id() == std::this_thread::get_id(); }
  void join() { thread_.join(); }
  void detach() { thread_.detach(); }

 private:
  std::thread thread_;
};

/// While this lives, the calling OS thread runs a function of the host program, which may change the thread's mask.
/// Does nothing on threads that are not the runtime's.
class RunsHostFunction {
 public:
  RunsHostFunction() {
    if (thread_.is_runtimes) ::pthread_sigmask(SIG_SETMASK, &thread_.own_mask, nullptr);
  }
  ~RunsHostFunction() {
    if (thread_.is_runtimes) hold_signals(thread_.own_mask);
  }
  RunsHostFunction(const RunsHostFunction&) = delete;
  RunsHostFunction& operator=(const RunsHostFunction&) = delete;

 private:
  OsThread& thread_ = this_os_thread();
};

}  // namespace warpfiber::engine
