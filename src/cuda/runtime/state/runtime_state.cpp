// SPDX-License-Identifier: Apache-2.0
//
// The room's one object, which constant initialisation makes.
#include "runtime/state/runtime_state.hpp"

#include <type_traits>

namespace warpfiber::runtime {

static_assert(std::is_trivially_destructible_v<RuntimeState>, "services outlive the static objects of the program");

constinit RuntimeState RuntimeState::the_process_;

void RuntimeState::reset() {
  reported_accesses.reset();
  reported_reaches.reset();
  test_listeners.reset();
  unmodelled_calls.reset();
  call_was_refused.store(false);
}

}  // namespace warpfiber::runtime
