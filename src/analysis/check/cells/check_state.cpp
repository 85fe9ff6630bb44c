// SPDX-License-Identifier: Apache-2.0
//
// The one object of the process, which constant initialisation makes.
#include "check/cells/check_state.hpp"

#include <type_traits>

namespace warpfiber::check {

static_assert(std::is_trivially_destructible_v<CheckState>, "services outlive the static objects of the program");

constinit CheckState CheckState::the_process_;

}  // namespace warpfiber::check
