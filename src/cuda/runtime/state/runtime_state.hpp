// SPDX-License-Identifier: Apache-2.0
// What the room keeps for the process, as members of one object; each service is defined in the file that works with
// it. Invariant: nothing here is destroyed when the process ends, because destructors of a program's static objects
// launch kernels, and findings are reported after them.
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "base/locks/annotated_mutex.hpp"
#include "base/process/service.hpp"

namespace warpfiber::record {
class ObserverFactory;
}

namespace warpfiber::runtime {

class HostAccesses;
struct KernelAttributeTable;
class LaunchCheckers;
struct ProcessProfile;
struct ProcessSteps;
struct ProcessTrace;
struct ReportedAccesses;
struct ReportedPairs;
struct ReportedReaches;
class SchedulesFile;
struct StoppedLaunches;
struct TimeoutReport;
struct UnmodelledCalls;

struct RuntimeState {
  static RuntimeState& of_process();

  /// Destroys the services in the state that main() finds, but for those that hold facts of the program or of the
  /// process, and observers. The caller is reset_process() in runtime/reset.hpp.
  void reset();

  base::Service<KernelAttributeTable> kernel_attributes;
  base::Service<LaunchCheckers> launch_checkers;
  base::Service<std::vector<record::ObserverFactory*>> launch_observers;
  base::Service<ProcessProfile> profile;
  base::Service<ProcessTrace> trace;
  base::Service<ProcessSteps> steps;
  base::Service<SchedulesFile> schedules;  // a file that a run leaves for the command

  // Launches.
  base::Mutex launches_on_devices;         // guards the order of launches of several grids in several streams
  std::atomic<std::uint64_t> launches{0};  // numbered so far
  base::Service<StoppedLaunches> stopped_launches;
  base::Service<TimeoutReport> timeout_report;
  std::atomic<std::uint64_t> native_streams{0};  // that exist

  // What has been reported already, and what is kept for later reports.
  base::Service<HostAccesses> host_accesses;
  base::Service<ReportedAccesses> reported_accesses;
  base::Service<ReportedPairs> reported_pairs;
  base::Service<ReportedReaches> reported_reaches;
  base::Service<UnmodelledCalls> unmodelled_calls;
  std::atomic<bool> leaks_are_reported{false};  // at the end of the process
  std::atomic<bool> call_was_refused{false};    // so memory may be unwritten without a fault of a kernel

  // What was asked for up to this number is over for the program, which has seen a word that says so; and how often.
  std::atomic<std::uint64_t> seen_up_to{0};
  std::atomic<std::uint64_t> host_signals{0};

 private:
  static RuntimeState the_process_;
};

inline RuntimeState& RuntimeState::of_process() {
  return the_process_;
}

}  // namespace warpfiber::runtime
