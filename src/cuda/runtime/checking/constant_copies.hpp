// SPDX-License-Identifier: Apache-2.0
// __constant__ variables of a header, of which each file has a copy of its own: kernels of one file read a copy that
// was never set, because the program has set that of another file. Any thread may call, none inside a kernel.
#pragma once

#include <vector>

#include "record/finding.hpp"
#include "record/launch_order.hpp"

namespace warpfiber::runtime {

/// What a launch that is over has read of such copies, as warnings.
std::vector<record::Finding> unset_constants_of(const record::LaunchOrder& launch);

}  // namespace warpfiber::runtime
