// SPDX-License-Identifier: Apache-2.0
// Errors of CUDA's calls: of a thread, of a device, and of a child that fork() has made.
#include "process/errors.hpp"

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <iterator>
#include <utility>

#include "process/host_thread.hpp"
#include "process/process_state.hpp"
#include "process/settings/reporting.hpp"
#include "report/reasons/reasons.hpp"

namespace warpfiber::process {

Error remember(Error error) {
  if (error != Error::success) HostThreadState::of_caller().last_error = error;
  return error;
}

Error peek_last_error() {
  return HostThreadState::of_caller().last_error;
}

Error take_last_error() {
  return std::exchange(HostThreadState::of_caller().last_error, Error::success);
}

void restore_last_error(Error error) {
  HostThreadState::of_caller().last_error = error;
}

// Two atomics for each device: the error that stays until a reset, and one that the next synchronisation takes away.
namespace {

/// Errors after which "the process must be terminated and relaunched", or the device reset (CUDA Runtime API, "Data
/// types used by CUDA Runtime", cudaError).
constexpr Error kStaying[] = {
    Error::illegal_address,       Error::launch_timeout,      Error::assert,
    Error::hardware_stack_error,  Error::illegal_instruction, Error::misaligned_address,
    Error::invalid_address_space, Error::invalid_pc,          Error::launch_failure,
    Error::tensor_memory_leak,
};

DeviceErrorState& state_of(int device) {
  return ProcessState::of_process().device_errors[static_cast<std::size_t>(device)];
}

}  // namespace

Error device_error(int device) {
  return state_of(device).staying.load();
}

bool stays(Error error) {
  return std::find(std::begin(kStaying), std::end(kStaying), error) != std::end(kStaying);
}

void report_device_error(int device, Error error) {
  if (error == Error::success) return;
  Error none = Error::success;
  (stays(error) ? state_of(device).staying : state_of(device).passing).compare_exchange_strong(none, error);
}

Error take_passing_error(int device) {
  return state_of(device).passing.exchange(Error::success);
}

void forget_device_errors(int device) {
  state_of(device).staying.store(Error::success);
  state_of(device).passing.store(Error::success);
}

// Prints the reason once and returns the error. It takes no lock, as another thread of the parent may have held it
// when the child was made.
Error refuse_in_forked_child(const char* function) {
  constexpr Error kError = Error::initialization_error;
  // Written at once and without a lock of ours, which another thread of the parent may have held.
  if (!ProcessState::of_process().fork_is_reported.exchange(true) && !report_settings().quiet)
    std::fprintf(stderr, "warpfiber: %s: %s: %s\n", function, error_name(kError),
                 report::fixed_text(record::ReasonKind::forked_child));
  return remember(kError);
}

}  // namespace warpfiber::process
