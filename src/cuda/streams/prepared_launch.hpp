// SPDX-License-Identifier: Apache-2.0
// A launch between the two halves of it: what the device has said of it is known, and it may wait in a stream.
#pragma once

#include <warpfiber/error.hpp>
#include <warpfiber/occupancy.hpp>

#include "engine/run.hpp"
#include "record/reason.hpp"

namespace warpfiber::process {
struct RunRecord;
}  // namespace warpfiber::process

namespace warpfiber::streams {

/// A launch that the device accepts, or why it does not.
struct PreparedLaunch {
  Error error = Error::success;
  record::Reason reason{};  // empty where the launch is accepted

  engine::GridRequest request;
  const DeviceModel* model = nullptr;
  KernelAttributes attributes;
  const void* address = nullptr;
  process::RunRecord* recording = nullptr;  // of a determinism check of the launching OS thread
  bool is_empty = false;                    // nothing is to be run or kept: it is over when its turn comes

  bool ok() const { return error == Error::success; }
};

}  // namespace warpfiber::streams
