// SPDX-License-Identifier: Apache-2.0
// Which moves of unwritten values to global memory are nothing but moves. A store that leaves the value as it was does
// not show what else the thread has done with it; compiled code does. Called when no thread of the launch runs.
#pragma once

#include "check/launch/launch_checker.hpp"

namespace warpfiber::check {

/// Moves to global memory at whose loads the code does more with the value, or may, become uses: then what they have
/// stored counts as written.
void settle_moves(LaunchChecker& launch);

}  // namespace warpfiber::check
