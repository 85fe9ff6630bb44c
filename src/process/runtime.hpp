// SPDX-License-Identifier: Apache-2.0
// All that the runtime keeps for the process, as members of one object. Each service is defined in the file that works
// with it; this list says which there are.
// Invariants: nothing here is destroyed when the process ends, because destructors of a program's static objects free
// memory and launch kernels, and findings are reported after them.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <vector>

#include "process/service.hpp"

namespace warpfiber::record {
class ObserverFactory;
class StreamObserver;
}  // namespace warpfiber::record

namespace warpfiber::runtime {

class AccessWatcher;
struct AllocationTable;
struct Arrays;
class DeviceArbiter;
struct DeviceSettings;
struct Events;
class FindingsLog;
class HostAccesses;
struct IgnoredFailure;
struct KeptCopies;
struct KnownKernels;
class LaunchCheckers;
class LaunchExtents;
struct Pools;
struct PrintedRefusals;
struct ProcessThreads;
struct ReportedAccesses;
struct ReportedPairs;
struct ReportedReaches;
class ResultsFile;
class Scheduler;
class SchedulesFile;
struct Session;
struct StoppedLaunches;
class StreamRegistry;
struct Surface;
struct Texture;
struct UnmodelledCalls;
struct VariableTable;
template <class Object>
class Handles;

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
  Service<Session> session;
  Service<KnownKernels> kernels;
  Service<VariableTable> variables;
  Service<LaunchCheckers> launch_checkers;
  Service<std::vector<record::ObserverFactory*>> launch_observers;
  Service<std::vector<record::StreamObserver*>> stream_observers;

  // Devices and their memory.
  Service<DeviceSettings> device_settings;
  Service<AllocationTable> allocations;
  Service<Arrays> arrays;
  Service<Pools> pools;
  Service<Handles<Texture>> textures;
  Service<Handles<Surface>> surfaces;

  // Streams.
  Service<StreamRegistry> streams;
  Service<Events> events;
  Service<Scheduler> scheduler;
  Service<DeviceArbiter> device_arbiter;
  Service<ProcessThreads> threads;
  Service<StoppedLaunches> stopped_launches;
  std::mutex stream_attributes;  // guards those of all streams

  // Findings, and what has been reported already.
  Service<FindingsLog> findings;
  Service<HostAccesses> host_accesses;
  Service<LaunchExtents> launch_extents;
  Service<ReportedAccesses> reported_accesses;
  Service<ReportedPairs> reported_pairs;
  Service<ReportedReaches> reported_reaches;
  Service<IgnoredFailure> ignored_failure;
  Service<PrintedRefusals> printed_refusals;
  Service<UnmodelledCalls> unmodelled_calls;

  // Files that a run leaves for the command.
  Service<KeptCopies> kept_copies;
  Service<ResultsFile> results;
  Service<SchedulesFile> schedules;

  std::atomic<AccessWatcher*> access_watcher{nullptr};  // of a checked program, from its begin on
  std::atomic<bool> per_thread_streams{false};          // the program was compiled for them
  std::atomic<std::uint64_t> native_streams{0};         // that exist
  std::atomic<std::uint64_t> launches{0};               // numbered so far
  std::atomic<std::uint64_t> order_changes{0};  // the program has asked for something, or seen that something is over
  std::atomic<bool> call_was_refused{false};    // so memory may be unwritten without a fault of a kernel

 private:
  static Runtime the_process_;
};

inline Runtime& Runtime::of_process() {
  return the_process_;
}

}  // namespace warpfiber::runtime
