// SPDX-License-Identifier: Apache-2.0
// The two halves of a launch: what can be said before anything runs, and the run with its report. Between them the
// launch may wait in a stream.
#pragma once

#include <warpfiber/launch.hpp>
#include <warpfiber/occupancy.hpp>

#include <string>

#include "streams/prepared_launch.hpp"

namespace warpfiber::runtime {

/// Checks the launch of the kernel at `address` against the device model. `attributes` are the kernel's own.
streams::PreparedLaunch prepare(const LaunchConfig& config, const void* address, const KernelAttributes& attributes);

/// A copy of a launch that was accepted is another launch, with a number of its own.
void make_next_launch(streams::PreparedLaunch& launch);

/// Says that the launch of the kernel at `address` was refused. `facts`: what is known of it.
LaunchResult refuse(Error error, const record::Reason& reason, const void* address,
                    const record::LaunchFacts& facts = {});

/// Runs a launch to its end and reports what was found. `request.run_threads` and `request.closure` have to be set.
LaunchResult execute(streams::PreparedLaunch& launch);

/// The process ends: where a kernel has called exit(), reports what was found in its launch. For the thread that called
/// it.
void report_before_exit();

}  // namespace warpfiber::runtime
