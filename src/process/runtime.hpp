// SPDX-License-Identifier: Apache-2.0
// All that the runtime keeps for the process, as members of one object. Each service is defined in the file that works
// with it; this list says which there are.
// Invariants: nothing here is destroyed when the process ends, because destructors of a program's static objects free
// memory and launch kernels, and findings are reported after them.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <mutex>
#include <vector>

#include "base/process/service.hpp"
#include "process/device_errors.hpp"

namespace warpfiber::record {
class ObserverFactory;
class StreamObserver;
}  // namespace warpfiber::record

namespace warpfiber::streams {
class DeviceArbiter;
struct Events;
struct ProcessThreads;
class Scheduler;
class StreamRegistry;
struct UnshownOutput;
}  // namespace warpfiber::streams

namespace warpfiber::abi {
struct FourierPlans;
}

namespace warpfiber::device_memory {
class AccessWatcher;
struct AllocationTable;
struct Arrays;
struct FittingCopies;
struct KeptCopies;
class LaunchExtents;
struct Pools;
struct Surface;
struct Texture;
template <class Object>
class Handles;
}  // namespace warpfiber::device_memory

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
}  // namespace warpfiber::runtime

namespace warpfiber::process {

struct Contexts;
struct DeviceSettings;
class FindingsLog;
struct IgnoredFailure;
struct KnownKernels;
struct NamedInCalls;
struct PrintedRefusals;
class ResultsFile;
struct Session;
struct VariableTable;

class Runtime {
 public:
  constexpr Runtime() = default;
  Runtime(const Runtime&) = delete;
  Runtime& operator=(const Runtime&) = delete;

  static Runtime& of_process();

  /// Destroys the services in the state that main() finds, but for those that hold facts of the program or of the
  /// process: kernels, variables, observers, OS threads, streams, whose numbers go on, and what was done by commands.
  /// The caller has reset the devices and is the only thread that uses CUDA: reset_process() in runtime/reset.hpp.
  void reset();

  // What the environment and the program's static objects say.
  base::Service<Session> session;
  base::Service<KnownKernels> kernels;
  base::Service<runtime::KernelAttributeTable> kernel_attributes;
  base::Service<VariableTable> variables;
  base::Service<runtime::LaunchCheckers> launch_checkers;
  base::Service<std::vector<record::ObserverFactory*>> launch_observers;
  base::Service<std::vector<record::StreamObserver*>> stream_observers;
  base::Service<runtime::ProcessProfile> profile;
  base::Service<runtime::ProcessTrace> trace;
  base::Service<runtime::ProcessSteps> steps;

  // Devices and their memory.
  base::Service<Contexts> contexts;
  std::atomic<bool> driver_is_initialised{false};  // cuInit, or a call of the runtime
  base::Service<DeviceSettings> device_settings;
  std::array<DeviceErrorState, kMostDevices> device_errors{};
  base::Service<device_memory::AllocationTable> allocations;
  base::Service<device_memory::Arrays> arrays;
  base::Service<device_memory::Pools> pools;
  base::Service<device_memory::Handles<device_memory::Texture>> textures;
  base::Service<device_memory::Handles<device_memory::Surface>> surfaces;

  // Streams.
  base::Service<streams::StreamRegistry> streams;
  base::Service<streams::Events> events;
  base::Service<streams::Scheduler> scheduler;
  base::Service<streams::DeviceArbiter> device_arbiter;
  base::Service<streams::ProcessThreads> threads;
  base::Service<streams::UnshownOutput> unshown_output;
  base::Service<runtime::StoppedLaunches> stopped_launches;
  base::Service<runtime::TimeoutReport> timeout_report;
  std::mutex stream_attributes;    // guards those of all streams
  std::mutex launches_on_devices;  // launches of several grids in several streams come in one order

  // Libraries.
  base::Service<abi::FourierPlans> fourier_plans;

  // Findings, and what has been reported already.
  base::Service<FindingsLog> findings;
  base::Service<runtime::HostAccesses> host_accesses;
  base::Service<device_memory::LaunchExtents> launch_extents;
  base::Service<device_memory::FittingCopies> fitting_copies;
  base::Service<runtime::ReportedAccesses> reported_accesses;
  base::Service<runtime::ReportedPairs> reported_pairs;
  base::Service<runtime::ReportedReaches> reported_reaches;
  base::Service<IgnoredFailure> ignored_failure;
  base::Service<PrintedRefusals> printed_refusals;
  base::Service<runtime::UnmodelledCalls> unmodelled_calls;
  base::Service<NamedInCalls> named_in_calls;
  std::mutex standard_error;                        // one report at a time
  std::atomic<bool> log_was_made{false};            // so the process has its handlers
  std::atomic<bool> leaks_are_reported{false};      // at its end
  std::atomic<bool> unfinished_is_reported{false};  // likewise, of what it has launched
  std::atomic<bool> unshown_is_reported{false};     // likewise, of whose output nobody has waited for
  std::atomic<bool> fork_is_reported{false};        // that a child may not use CUDA

  // How often the program has asked for errors, and named them.
  std::atomic<std::uint64_t> errors_asked{0};
  std::atomic<std::uint64_t> errors_named{0};
  std::array<std::atomic<std::uint64_t>, 1024> errors_named_each{};  // by number; those beyond share the last place
  std::atomic<bool> unchecked_errors_are_over{false};                // nothing can be kept any more for a program's end

  // Files that a run leaves for the command.
  base::Service<device_memory::KeptCopies> kept_copies;
  base::Service<ResultsFile> results;
  base::Service<runtime::SchedulesFile> schedules;

  std::atomic<device_memory::AccessWatcher*> access_watcher{nullptr};  // of a checked program, from its begin on
  std::atomic<bool> per_thread_streams{false};                         // the program was compiled for them
  std::atomic<std::uint64_t> native_streams{0};                        // that exist
  std::atomic<std::uint64_t> launches{0};                              // numbered so far
  std::atomic<std::uint64_t> order_changes{0};  // the program has asked for something, or seen that something is over
  std::atomic<bool> call_was_refused{false};    // so memory may be unwritten without a fault of a kernel
  // What was asked for up to this number is over for the program, which has seen a word that says so; and how often.
  std::atomic<std::uint64_t> seen_up_to{0};
  std::atomic<std::uint64_t> host_signals{0};

 private:
  static Runtime the_process_;
};

inline Runtime& Runtime::of_process() {
  return the_process_;
}

}  // namespace warpfiber::process
