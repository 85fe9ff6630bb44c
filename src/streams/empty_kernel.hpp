// SPDX-License-Identifier: Apache-2.0
// A launch of a kernel whose code does nothing but return, as programs make them that measure launches. Nothing of it
// has to run, so no other thread is needed; its turn comes all the same, and it counts as a launch.
#pragma once

#include "base/index.hpp"
#include "process/findings/findings_log.hpp"
#include "streams/prepared_launch.hpp"
#include "streams/scheduler.hpp"

namespace warpfiber::streams {

class EmptyKernelTask final : public Task {
 public:
  /// `launch` has been accepted, and PreparedLaunch::is_empty is set.
  explicit EmptyKernelTask(const PreparedLaunch& launch) {
    request.grid = base::to_triple(launch.request.grid);
    request.block = base::to_triple(launch.request.block);
  }

  Error run(Error device) override {
    if (device == Error::success) process::count_launch();
    return Error::success;
  }
};

}  // namespace warpfiber::streams
