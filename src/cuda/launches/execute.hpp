// SPDX-License-Identifier: Apache-2.0
// The third step of a launch: the run and its report.
#pragma once

#include <warpfiber/launch.hpp>

#include <string>
#include <vector>

#include "base/index.hpp"
#include "base/locks/annotated_mutex.hpp"
#include "launches/prepared_launch.hpp"
#include "record/launch_order.hpp"

namespace warpfiber::launches {

/// Runs a launch to its end and reports what was found. `request.run_threads` and `request.closure` have to be set.
LaunchResult execute(PreparedLaunch& launch);

/// The process ends: where a kernel has called exit(), reports what was found in its launch. For the thread that called
/// it.
void report_before_exit();

/// The last launch of each kernel that has printed, until the host has waited for it: a device shows the output once
/// the host synchronises with the launch.
struct UnshownOutput {
  struct Launch {
    std::string kernel;
    base::Triple grid;
    base::Triple block;
    record::LaunchOrder order;
  };
  base::Mutex mutex;
  std::vector<Launch> launches WARPFIBER_GUARDED_BY(mutex);
};

}  // namespace warpfiber::launches
