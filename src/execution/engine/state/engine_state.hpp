// SPDX-License-Identifier: Apache-2.0
// What the room keeps for the process, as members of one object; each service is defined in the file that works with
// it. Invariant: nothing here is destroyed, because kernels may run until the very end of the process.
#pragma once

#include <atomic>
#include <cstdint>

#include "base/locks/annotated_mutex.hpp"
#include "base/process/service.hpp"

namespace warpfiber::engine {

class DeviceArbiter;
struct HelperNumbers;
struct RunningLaunches;
struct WorkerStacks;

struct EngineState {
  static EngineState& of_process();

  base::Service<HelperNumbers> helpers;
  base::Service<RunningLaunches> launches;
  base::Service<WorkerStacks> stacks;
  base::Service<DeviceArbiter> device_arbiter;
  base::Mutex shared_launches;  // guards what is named with launches_mutex()
  std::atomic<std::uint64_t> begun_launches{0};
  std::atomic<bool> time_may_end{false};  // so launches are listed
  /// Set by the debugger, with the commands of share/gdb: a thread that it stops over and over runs no instruction
  /// between two ticks, and spins only if it does so for longer.
  std::atomic<bool> is_debugged{false};

 private:
  static EngineState the_process_;
};

inline EngineState& EngineState::of_process() {
  return the_process_;
}

/// Guards the launches that share their devices and have not ended, and what the arbiter keeps.
inline base::Mutex& launches_mutex() {
  return EngineState::of_process().shared_launches;
}

}  // namespace warpfiber::engine
