// SPDX-License-Identifier: Apache-2.0
// The third step of a launch: the run and its report.
#pragma once

#include <warpfiber/launch.hpp>

#include "streams/prepared_launch.hpp"

namespace warpfiber::runtime {

/// Runs a launch to its end and reports what was found. `request.run_threads` and `request.closure` have to be set.
LaunchResult execute(streams::PreparedLaunch& launch);

/// The process ends: where a kernel has called exit(), reports what was found in its launch. For the thread that called
/// it.
void report_before_exit();

}  // namespace warpfiber::runtime
