// SPDX-License-Identifier: Apache-2.0
//
// The one object of the process, which constant initialisation makes.
#include "engine/state/engine_state.hpp"

#include <type_traits>

namespace warpfiber::engine {

static_assert(std::is_trivially_destructible_v<EngineState>, "services outlive the static objects of the program");

constinit EngineState EngineState::the_process_;

}  // namespace warpfiber::engine
