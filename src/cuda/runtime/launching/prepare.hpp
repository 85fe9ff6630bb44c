// SPDX-License-Identifier: Apache-2.0
// The second step of a launch: what can be said before anything runs. After it the launch may wait in a stream.
#pragma once

#include <warpfiber/launch.hpp>
#include <warpfiber/occupancy.hpp>

#include "device/launch_check.hpp"
#include "launches/prepared_launch.hpp"

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

}  // namespace warpfiber::runtime
