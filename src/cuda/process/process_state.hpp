// SPDX-License-Identifier: Apache-2.0
// What the room keeps for the process, as members of one object; each service is defined in the file that works with
// it. Invariants: nothing here is destroyed when the process ends, because destructors of a program's static objects
// free memory and launch kernels, and findings are reported after them.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>

#include "base/locks/annotated_mutex.hpp"
#include "base/process/service.hpp"
#include "process/errors.hpp"

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

struct ProcessState {
  static ProcessState& of_process();

  /// Destroys the services in the state that main() finds, but for those that hold facts of the program or of the
  /// process: kernels, variables, and what was done by commands. The caller is reset_process() in runtime/reset.hpp.
  void reset();

  // What the environment and the program's static objects say.
  base::Service<Session> session;
  base::Service<KnownKernels> kernels;
  base::Service<VariableTable> variables;

  // Devices.
  base::Service<Contexts> contexts;
  std::atomic<bool> driver_is_initialised{false};  // cuInit, or a call of the runtime
  base::Service<DeviceSettings> device_settings;
  std::array<DeviceErrorState, kMostDevices> device_errors{};

  // Findings, and what has been reported already.
  base::Service<FindingsLog> findings;
  base::Service<IgnoredFailure> ignored_failure;
  base::Service<PrintedRefusals> printed_refusals;
  base::Service<NamedInCalls> named_in_calls;
  base::Mutex standard_error;                     // guards the order of reports on it
  std::atomic<void (*)()> at_first_log{nullptr};  // set before main() by the room that ends the process
  std::atomic<bool> log_was_made{false};          // so the process has its handlers
  std::atomic<bool> fork_is_reported{false};      // that a child may not use CUDA
  std::atomic<bool> program_is_checked{false};    // its accesses are, from its begin on
  std::atomic<bool> has_access_hooks{false};      // the program, or a library that it has loaded
  std::atomic<bool> judges_accesses{false};       // that its hooks report: the host has room for it

  // How often the program has asked for errors, and named them.
  std::atomic<std::uint64_t> errors_asked{0};
  std::atomic<std::uint64_t> errors_named{0};
  std::array<std::atomic<std::uint64_t>, 1024> errors_named_each{};  // by number; those beyond share the last place
  std::atomic<bool> unchecked_errors_are_over{false};                // nothing can be kept any more for a program's end

  base::Service<ResultsFile> results;           // a file that a run leaves for the command
  std::atomic<std::uint64_t> order_changes{0};  // the program has asked for something, or seen that something is over

 private:
  static ProcessState the_process_;
};

inline ProcessState& ProcessState::of_process() {
  return the_process_;
}

}  // namespace warpfiber::process
