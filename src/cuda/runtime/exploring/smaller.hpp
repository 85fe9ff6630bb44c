// SPDX-License-Identifier: Apache-2.0
//
// Launches with fewer blocks and threads than the program asks for, so that whoever looks for the cause of a failure
// has fewer threads to look at: WARPFIBER_MOST_BLOCKS and WARPFIBER_MOST_THREADS. Results are then those of a part.
#pragma once

#include <warpfiber/launch.hpp>

#include "base/index.hpp"

namespace warpfiber::runtime {

/// The launch, cut in z, then in y, then in x until it has no more blocks, and no more threads a block, than the
/// session allows; whole clusters are left. The same where it allows any.
LaunchConfig made_smaller(LaunchConfig config, const base::Triple& cluster);

}  // namespace warpfiber::runtime
