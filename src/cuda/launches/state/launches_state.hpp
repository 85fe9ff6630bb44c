// SPDX-License-Identifier: Apache-2.0
// What the room keeps for the process, as members of one object; each service is defined in the file that works with
// it. Invariant: nothing here is destroyed when the process ends, because destructors of a program's static objects
// launch kernels, and findings are reported after them.
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "base/process/service.hpp"

namespace warpfiber::record {
class ObserverFactory;
}

namespace warpfiber::launches {

class HostAccesses;
struct KernelAttributeTable;
class LaunchExtents;
struct ProcessProfile;
struct ProcessSteps;
struct ProcessThreads;
struct ProcessTrace;
struct ReportedPairs;
class SchedulesFile;
struct StoppedLaunches;
struct TimeoutReport;
struct UnshownOutput;

struct LaunchesState {
  static LaunchesState& of_process();

  /// Destroys the services in the state that main() finds, but for those that hold facts of the program or of the
  /// process, and observers. The caller is reset_process() in runtime/reset.hpp, which has reset the devices.
  void reset();

  base::Service<KernelAttributeTable> kernel_attributes;
  base::Service<std::vector<record::ObserverFactory*>> observers;
  base::Service<ProcessProfile> profile;
  base::Service<ProcessTrace> trace;
  base::Service<ProcessSteps> steps;
  base::Service<SchedulesFile> schedules;  // a file that a run leaves for the command
  base::Service<ProcessThreads> threads;
  base::Service<StoppedLaunches> stopped_launches;
  base::Service<TimeoutReport> timeout_report;
  std::atomic<std::uint64_t> numbered{0};  // launches so far

  // What has been reported already, and what is kept for later reports.
  base::Service<HostAccesses> host_accesses;
  base::Service<LaunchExtents> launch_extents;
  base::Service<ReportedPairs> reported_pairs;
  base::Service<UnshownOutput> unshown_output;

 private:
  static LaunchesState the_process_;
};

inline LaunchesState& LaunchesState::of_process() {
  return the_process_;
}

}  // namespace warpfiber::launches
