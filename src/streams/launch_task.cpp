// SPDX-License-Identifier: Apache-2.0
//
// The order of operations before the launch is taken when its turn has come, and its room on the device is held until
// its findings are reported.
#include "streams/launch_task.hpp"

#include <utility>

#include "base/index.hpp"
#include "streams/device_arbiter.hpp"
#include "streams/streams.hpp"

namespace warpfiber::streams {

LaunchTask::LaunchTask(PreparedLaunch&& launch, int priority) : launch_(std::move(launch)), priority_(priority) {
  request.grid = base::to_triple(launch_.request.grid);
  request.block = base::to_triple(launch_.request.block);
}

Error LaunchTask::run(Error before) {
  if (before != Error::success) return skip(before);
  launch_.request.order = order_of(*this);
  const ResidentLaunch resident(launch_, priority_);
  // The end of the process cancels the launches that are resident then; this one may have come after that.
  return resident.cancelled() || streams_have_ended() ? cancel() : run_kernel();
}

}  // namespace warpfiber::streams
