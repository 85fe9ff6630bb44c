// SPDX-License-Identifier: Apache-2.0
//
// One value of each host thread, which only errors replace.
#include "process/last_error.hpp"

#include "process/host_thread.hpp"

#include <utility>

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

}  // namespace warpfiber::process
