// SPDX-License-Identifier: Apache-2.0
// The second step of a launch: what can be said before anything runs. After it the launch may wait in a stream, or it
// is refused.
#pragma once

#include <warpfiber/launch.hpp>
#include <warpfiber/occupancy.hpp>

#include "device/launch_check.hpp"
#include "launches/prepared_launch.hpp"
#include "record/finding.hpp"
#include "record/reason.hpp"

namespace warpfiber::runtime {

/// Checks the launch of the kernel at `address` against the device model. `attributes` are the kernel's own. Not inside
/// a kernel.
launches::PreparedLaunch prepare(const LaunchConfig& config, const void* address, const KernelAttributes& attributes);

/// A copy of a launch that was accepted is another launch, with a number of its own.
void make_next_launch(launches::PreparedLaunch& launch);

/// The launch as the device's limits are compared with.
device::LaunchShape shape_of(const LaunchConfig& config);

/// What is known of the kernel, for launches that need not ask for much dynamic shared memory first. Not inside a
/// kernel.
KernelAttributes attributes_on(const DeviceModel& model, const void* address);

/// Says that the launch of the kernel at `address` was refused: nothing ran. `facts`: what is known of it. Not inside a
/// kernel.
LaunchResult refuse(Error error, const record::Reason& reason, const void* address,
                    const record::LaunchFacts& facts = {});

/// The same of a launch by a thread of a kernel, whose stack has no room for more than a line.
LaunchResult refuse_inside_kernel();

}  // namespace warpfiber::runtime
