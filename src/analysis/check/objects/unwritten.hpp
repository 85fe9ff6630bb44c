// SPDX-License-Identifier: Apache-2.0
// Allocated memory of a device that nobody has written: no kernel, no copy, no fill. Any thread may call; what kernels
// write meanwhile may be left out.
#pragma once

#include <cstddef>
#include <functional>

#include "check/objects/host_writes.hpp"

namespace warpfiber::check {

/// Calls visit() for each stretch of these bytes, ascending, that nobody is known to have written and that still holds
/// what fresh memory does: whose accesses are not reported, such as code without hooks, has written other bytes. None
/// of what was born with a value.
void for_each_unwritten(const char* from, std::size_t bytes, const std::function<void(const Stretch&)>& visit);

/// Nobody has written these bytes any more: a copy has brought such.
void unwrite(const Stretch& stretch);

}  // namespace warpfiber::check
