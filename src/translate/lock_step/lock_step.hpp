// SPDX-License-Identifier: Apache-2.0
//
// What a function of the device that touches volatile memory gets: steps of its warp and polls of its waits. Both look
// at the same accesses, which are found once.
#pragma once

#include <vector>

#include "translate/lock_step/accesses.hpp"
#include "translate/passes.hpp"

namespace warpfiber::translate {

/// Lanes that exchange values do so step by step.
void add_steps(Program& program, const Function& function, const std::vector<VolatileAccess>& accesses);

/// Each pass of a loop that waits is a poll.
void add_polls(Program& program, const Function& function, const std::vector<VolatileAccess>& accesses);

}  // namespace warpfiber::translate
