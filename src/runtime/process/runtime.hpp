// SPDX-License-Identifier: Apache-2.0
// All that the runtime keeps for the process, as members of one object. Each service is defined in the file that works
// with it; this list says which there are.
// Invariants: nothing here is destroyed when the process ends, because destructors of a program's static objects free
// memory and launch kernels, and findings are reported after them.
#pragma once

#include <atomic>
#include <mutex>
#include <vector>

#include "runtime/process/service.hpp"

namespace warpfiber::record {
class ObserverFactory;
}

namespace warpfiber::runtime {

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
  std::atomic<ServiceBase*> last_made_{nullptr};

 public:
  constexpr Runtime() = default;
  Runtime(const Runtime&) = delete;
  Runtime& operator=(const Runtime&) = delete;

  static Runtime& of_process();

  // What the environment and the program's static objects say.
  Service<Session> session{last_made_};
  Service<KnownKernels> kernels{last_made_};
  Service<VariableTable> variables{last_made_};
  Service<LaunchCheckers> launch_checkers{last_made_};
  Service<std::vector<record::ObserverFactory*>> launch_observers{last_made_};

  // Devices and their memory.
  Service<DeviceSettings> device_settings{last_made_};
  Service<AllocationTable> allocations{last_made_};
  Service<Arrays> arrays{last_made_};
  Service<Pools> pools{last_made_};
  Service<Handles<Texture>> textures{last_made_};
  Service<Handles<Surface>> surfaces{last_made_};

  // Streams.
  Service<StreamRegistry> streams{last_made_};
  Service<Events> events{last_made_};
  Service<Scheduler> scheduler{last_made_};
  Service<DeviceArbiter> device_arbiter{last_made_};
  Service<ProcessThreads> threads{last_made_};
  Service<StoppedLaunches> stopped_launches{last_made_};
  std::mutex stream_attributes;  // guards those of all streams

  // Findings, and what has been reported already.
  Service<FindingsLog> findings{last_made_};
  Service<HostAccesses> host_accesses{last_made_};
  Service<LaunchExtents> launch_extents{last_made_};
  Service<ReportedAccesses> reported_accesses{last_made_};
  Service<ReportedPairs> reported_pairs{last_made_};
  Service<ReportedReaches> reported_reaches{last_made_};
  Service<IgnoredFailure> ignored_failure{last_made_};
  Service<PrintedRefusals> printed_refusals{last_made_};
  Service<UnmodelledCalls> unmodelled_calls{last_made_};

  // Files that a run leaves for the command.
  Service<KeptCopies> kept_copies{last_made_};
  Service<ResultsFile> results{last_made_};
  Service<SchedulesFile> schedules{last_made_};

 private:
  static Runtime the_process_;
};

inline Runtime& Runtime::of_process() {
  return the_process_;
}

}  // namespace warpfiber::runtime
