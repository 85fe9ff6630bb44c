// SPDX-License-Identifier: Apache-2.0
//
// Asks in the order in which CUDA answers: a process that ends, a host function, then the device.
#include "streams/enter_call.hpp"
#include "process/device_errors.hpp"

#include "launches/host/host_threads.hpp"
#include "process/current_device.hpp"
#include "process/last_error.hpp"
#include "streams/scheduler.hpp"

namespace warpfiber::streams {

Error enter_call() {
  if (streams_have_ended()) return Error::cudart_unloading;
  if (inside_host_function()) return Error::not_permitted;
  launches::know_host_thread();
  process::use_primary_context();
  end_streams_at_exit();
  return process::device_error(process::current_device());
}

Error peek_error() {
  return process::peek_last_error();
}

Error take_error() {
  return process::take_last_error();
}

}  // namespace warpfiber::streams
