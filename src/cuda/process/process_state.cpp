// SPDX-License-Identifier: Apache-2.0
//
// The room's one object, which constant initialisation makes.
#include "process/process_state.hpp"

#include <type_traits>

namespace warpfiber::process {

static_assert(std::is_trivially_destructible_v<ProcessState>, "services outlive the static objects of the program");

constinit ProcessState ProcessState::the_process_;

void ProcessState::reset() {
  device_settings.reset();
  findings.reset();
  ignored_failure.reset();
  printed_refusals.reset();
  results.reset();
  session.reset();
}

}  // namespace warpfiber::process
