// SPDX-License-Identifier: Apache-2.0
// What the room keeps for the process, as members of one object; each service is defined in the file that works with
// it. Invariant: nothing here is destroyed when the process ends, because destructors of a program's static objects
// launch kernels, and findings are reported after them.
#pragma once

#include <atomic>
#include <cstdint>

#include "base/locks/annotated_mutex.hpp"
#include "base/process/service.hpp"

namespace warpfiber::runtime {

class LaunchCheckers;
struct ReportedAccesses;
struct ReportedReaches;
struct TestListeners;
struct UnmodelledCalls;

struct RuntimeState {
  static RuntimeState& of_process();

  /// Destroys the services in the state that main() finds, but for those that hold facts of the program or of the
  /// process, and observers. The caller is reset_process() in runtime/reset.hpp.
  void reset();

  base::Service<LaunchCheckers> launch_checkers;

  // Launches.
  base::Mutex launches_on_devices;  // guards the order of launches of several grids in several streams

  // What has been reported already, and what is kept for later reports.
  base::Service<ReportedAccesses> reported_accesses;
  base::Service<ReportedReaches> reported_reaches;
  base::Service<UnmodelledCalls> unmodelled_calls;
  base::Service<TestListeners> test_listeners;
  std::atomic<bool> leaks_are_reported{false};     // at the end of the process
  std::atomic<bool> call_was_refused{false};       // so memory may be unwritten without a fault of a kernel
  std::atomic<bool> no_device_is_reported{false};  // what keeps all calls from going on

  // What was asked for up to this number is over for the program, which has seen a word that says so; and how often.
  std::atomic<std::uint64_t> seen_up_to{0};
  std::atomic<std::uint64_t> host_signals{0};

  std::atomic<bool> has_ended{false};  // exit() has come to what it calls last

 private:
  static RuntimeState the_process_;
};

inline RuntimeState& RuntimeState::of_process() {
  return the_process_;
}

}  // namespace warpfiber::runtime
