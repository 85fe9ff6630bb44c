// SPDX-License-Identifier: Apache-2.0
// For which objects the index of an access outside of every object may be. Not on the stack of a fiber.
#pragma once

#include <vector>

#include "check/cases/cases.hpp"
#include "check/objects/reach.hpp"

namespace warpfiber::check {

/// What the case is about, as an element of each object that its kernel has names for.
std::vector<MemoryPlace> named_places(const Case& outside, const Reach& reach);

}  // namespace warpfiber::check
