// SPDX-License-Identifier: Apache-2.0
//
// Two atomics for each device: the error that stays until a reset, and one that the next synchronisation takes away.
#include "runtime/streams/device.hpp"

#include <algorithm>
#include <atomic>
#include <iterator>

#include "runtime/process/current_device.hpp"
#include "runtime/process/last_error.hpp"
#include "runtime/streams/host_threads.hpp"
#include "runtime/streams/scheduler.hpp"

namespace warpfiber::runtime {
namespace {

/// Errors after which "the process must be terminated and relaunched", or the device reset (CUDA Runtime API, "Data
/// types used by CUDA Runtime", cudaError).
constexpr Error kStaying[] = {
    Error::illegal_address,       Error::launch_timeout,      Error::assert,
    Error::hardware_stack_error,  Error::illegal_instruction, Error::misaligned_address,
    Error::invalid_address_space, Error::invalid_pc,          Error::launch_failure,
    Error::tensor_memory_leak,
};

struct State {
  std::atomic<Error> staying{Error::success};
  std::atomic<Error> passing{Error::success};
};

State states[kMostDevices];

}  // namespace

Error device_error(int device) {
  return states[device].staying.load();
}

bool stays(Error error) {
  return std::find(std::begin(kStaying), std::end(kStaying), error) != std::end(kStaying);
}

void report_device_error(int device, Error error) {
  if (error == Error::success) return;
  Error none = Error::success;
  (stays(error) ? states[device].staying : states[device].passing).compare_exchange_strong(none, error);
}

Error take_passing_error(int device) {
  return states[device].passing.exchange(Error::success);
}

Error enter_call() {
  if (streams_have_ended()) return Error::cudart_unloading;
  if (inside_host_function()) return Error::not_permitted;
  know_host_thread();
  return device_error(current_device());
}

void forget_device_errors(int device) {
  states[device].staying.store(Error::success);
  states[device].passing.store(Error::success);
}

Error peek_error() {
  return peek_last_error();
}

Error take_error() {
  return take_last_error();
}

}  // namespace warpfiber::runtime
