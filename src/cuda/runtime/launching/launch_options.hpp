// SPDX-License-Identifier: Apache-2.0
// What a launch asks for that only a simulator has: the first step of a launch, in which texts become values. Also
// launches with fewer blocks and threads than the program asks for, so that whoever looks for the cause of a failure
// has fewer threads to look at: WARPFIBER_MOST_BLOCKS and WARPFIBER_MOST_THREADS. Results are then those of a part.
#pragma once

#include <warpfiber/launch.hpp>

#include <cstddef>

#include "base/index.hpp"
#include "base/result.hpp"
#include "engine/request/convergence_mode.hpp"
#include "record/reason.hpp"
#include "schedule/options.hpp"

namespace warpfiber::runtime {

/// Where the launch does not say, what the environment and the device do.
struct LaunchOptions {
  unsigned warp_size = 0;  // lanes
  std::size_t stack_bytes = 0;
  unsigned workers = 0;
  bool is_repeatable = false;  // one worker was asked for
  bool is_checked = false;     // hooks of the program report each access of a thread
  schedule::PolicyOptions policy{};
  engine::Convergence convergence{};
};

/// Reads the options of a launch on `model`, or says what is wrong with them. Is called once a launch.
base::Result<LaunchOptions, record::Reason> parse_options(const LaunchConfig& config, const DeviceModel& model);

/// The launch, cut in z, then in y, then in x until it has no more blocks, and no more threads a block, than the
/// session allows; whole clusters are left. The same where it allows any.
LaunchConfig made_smaller(LaunchConfig config, const base::Triple& cluster);

}  // namespace warpfiber::runtime
