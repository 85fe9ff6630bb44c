// SPDX-License-Identifier: Apache-2.0
// Launches that do not run.
#pragma once

#include <warpfiber/launch.hpp>

#include "record/finding.hpp"
#include "record/reason.hpp"

namespace warpfiber::runtime {

/// Says that the launch of the kernel at `address` was refused: nothing ran. `facts`: what is known of it. Not inside a
/// kernel.
LaunchResult refuse(Error error, const record::Reason& reason, const void* address,
                    const record::LaunchFacts& facts = {});

/// The same of a launch by a thread of a kernel, whose stack has no room for more than a line.
LaunchResult refuse_inside_kernel();

}  // namespace warpfiber::runtime
