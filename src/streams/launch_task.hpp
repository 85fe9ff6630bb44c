// SPDX-License-Identifier: Apache-2.0
// A launch as an operation of a stream: it gets its share of the device before its kernel starts.
#pragma once

#include <warpfiber/error.hpp>

#include "streams/prepared_launch.hpp"
#include "streams/scheduler.hpp"

namespace warpfiber::streams {

class LaunchTask : public Task {
 public:
  /// `priority`: the smaller, the sooner the launch gets room on its device.
  LaunchTask(PreparedLaunch&& launch, int priority);

  Error run(Error before) final;

 protected:
  PreparedLaunch& launch() { return launch_; }

 private:
  /// The launch has room. Returns what has gone wrong with the device.
  virtual Error run_kernel() = 0;
  /// An error from before, of the device or of the stream, keeps the kernel from running.
  virtual Error skip(Error before) = 0;
  /// The launch was cancelled before it had room.
  virtual Error cancel() = 0;

  PreparedLaunch launch_;
  int priority_;
};

}  // namespace warpfiber::streams
