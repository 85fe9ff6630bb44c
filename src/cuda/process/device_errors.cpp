// SPDX-License-Identifier: Apache-2.0
//
// Two atomics for each device: the error that stays until a reset, and one that the next synchronisation takes away.
#include "process/device_errors.hpp"

#include "process/process_state.hpp"

#include <algorithm>
#include <atomic>
#include <iterator>

namespace warpfiber::process {
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

}  // namespace warpfiber::process
