// SPDX-License-Identifier: Apache-2.0
//
// The room's one object, which constant initialisation makes.
#include "streams/state/streams_state.hpp"

#include <type_traits>

namespace warpfiber::streams {

static_assert(std::is_trivially_destructible_v<StreamsState>, "services outlive the static objects of the program");

constinit StreamsState StreamsState::the_process_;

void StreamsState::reset() {
  scheduler.reset();  // first: it ends its threads, which use the others
  events.reset();
}

}  // namespace warpfiber::streams
