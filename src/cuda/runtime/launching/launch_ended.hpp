// SPDX-License-Identifier: Apache-2.0
// What becomes of a launch that has run to its end, apart from its report.
#pragma once

#include <vector>

#include "record/finding.hpp"
#include "streams/prepared_launch.hpp"

namespace warpfiber::runtime {

struct LaunchEnded {
  const streams::PreparedLaunch& launch;
  const engine::GridOutcome& outcome;
  std::vector<record::Finding>& findings;  // those that did not end the launch
};

/// Calls all that learn from launches, or look in them for findings, in a fixed order. They are listed in
/// launch_ended.cpp. Called on the thread that has run the launch, before anything is reported.
void notify_subscribers(const LaunchEnded& ended);

}  // namespace warpfiber::runtime
