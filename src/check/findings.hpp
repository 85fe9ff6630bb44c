// SPDX-License-Identifier: Apache-2.0
// What the checker has seen, as findings. Called when a launch is over, on a stack with room.
#pragma once

#include <vector>

#include "check/watch.hpp"
#include "record/finding.hpp"

namespace warpfiber::check {

std::vector<record::Finding> findings_of(const Watch& watch, const record::LaunchFacts& launch);

}  // namespace warpfiber::check
