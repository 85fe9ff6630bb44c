// SPDX-License-Identifier: Apache-2.0
//
// What happens to children and temporary files when a signal ends this process (SIGINT, SIGTERM, SIGHUP, SIGQUIT). A
// thread of its own waits for signals, so that no code runs in a handler.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>

#include "base/locks/annotated_mutex.hpp"

namespace warpfiber::tools::nvcc {

inline constexpr int kSignalled = 128;  // added to a signal, it is the exit status of what the signal ended

/// From here on signals are handed to the running child. Where none runs, one that ends removes the temporary files and
/// ends this process with 128 + the signal. Signals that are ignored stay ignored. Called by the first thread, before
/// there are others.
void hand_on_signals();

/// While it lives, a signal that ends is left to whoever started the child, who still reports what was found. One at a
/// time.
class ScopedSignalDeferral {
 public:
  ScopedSignalDeferral();
  ~ScopedSignalDeferral();
  ScopedSignalDeferral(const ScopedSignalDeferral&) = delete;
  ScopedSignalDeferral& operator=(const ScopedSignalDeferral&) = delete;
};

/// The signal that was to end this process; 0 before one has come.
int stopped_by();

/// Who gets the signals that come to this process.
struct Child {
  pid_t id = 0;
  bool is_group = false;    // it leads a group of processes, which gets them
  bool is_program = false;  // the user's, which gets each signal; others get SIGTERM for those that end
};

/// Calls `start` while no signal is handed on, and hands them to the child that it gives. Nothing is started after a
/// signal that ends: then the answer is empty.
template <class Start>
std::optional<Child> start_child(const Start& start);

/// The same for a second child, at the same time as the one that start_child() starts. It gets the same signals; one at
/// a time.
template <class Start>
std::optional<Child> start_concurrent(const Start& start);

/// The second child is from here on the one that signals are handed to.
void take_over(const Child& child);

/// Waits until the child has ended and what is left of its group after a signal that ends; its status as waitpid()'s.
int reap(const Child& child);

/// In a new child: gives back the signals that this process keeps for itself.
void restore_signals();

/// mkdtemp(3), with which a signal that ends this process removes the folder; false with errno where none can be made.
/// A signal comes before both or after both.
bool make_scratch(std::string& pattern);
void drop_scratch(const std::string& path);

/// Guards the children that signals are handed to, and what a signal removes.
base::Mutex& children_mutex();

/// Holds back what the thread does with a signal.
class WARPFIBER_IS_LOCK SignalsHeld {
 public:
  SignalsHeld() WARPFIBER_ACQUIRE(children_mutex());
  ~SignalsHeld() WARPFIBER_RELEASE();
  SignalsHeld(const SignalsHeld&) = delete;
  SignalsHeld& operator=(const SignalsHeld&) = delete;
  void set(const Child& child) WARPFIBER_REQUIRES(children_mutex());
  void set_concurrent(const Child& child) WARPFIBER_REQUIRES(children_mutex());
};

template <class Start>
std::optional<Child> start_child(const Start& start) {
  SignalsHeld held;
  if (stopped_by() != 0) return std::nullopt;
  const Child child = start();
  held.set(child);
  return child;
}

template <class Start>
std::optional<Child> start_concurrent(const Start& start) {
  SignalsHeld held;
  if (stopped_by() != 0) return std::nullopt;
  const Child child = start();
  held.set_concurrent(child);
  return child;
}

}  // namespace warpfiber::tools::nvcc
