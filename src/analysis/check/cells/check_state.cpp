// SPDX-License-Identifier: Apache-2.0
// What the room keeps for the process, which constant initialisation makes.
#include "check/cells/check_state.hpp"

#include <type_traits>

#include "check/cells/word_parts.hpp"

namespace warpfiber::check {

static_assert(std::is_trivially_destructible_v<CheckState>, "services outlive the static objects of the program");

constinit CheckState CheckState::the_process_;

// Static objects of the program may access device memory before main().
constinit memory::Shadow shadow;

}  // namespace warpfiber::check
