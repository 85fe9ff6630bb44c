// SPDX-License-Identifier: Apache-2.0
// For which objects the index of an access outside of every object may be. Not on the stack of a fiber.
#pragma once

#include <vector>

#include "check/objects/reachable_memory.hpp"
#include "check/violations/violations.hpp"

namespace warpfiber::check {

/// What the violation is about, as an element of each object that its kernel has names for.
std::vector<MemoryPlace> named_places(const Violation& outside, const ReachableMemory& reach);

}  // namespace warpfiber::check
