// SPDX-License-Identifier: Apache-2.0
//
// The one object of the process, which constant initialisation makes.
#include "memory/memory_state.hpp"

#include <type_traits>

namespace warpfiber::memory {

static_assert(std::is_trivially_destructible_v<MemoryState>, "services outlive the static objects of the program");

constinit MemoryState MemoryState::the_process_;

}  // namespace warpfiber::memory
