// SPDX-License-Identifier: Apache-2.0
//
// The order of operations before the launch is taken when its turn has come, and its room on the device is held until
// its findings are reported.
#include "streams/kernel_operation.hpp"

#include <utility>

#include "base/index.hpp"
#include "streams/device_arbiter.hpp"
#include "streams/streams.hpp"

namespace warpfiber::streams {

std::unique_ptr<Task> launch_task(std::shared_ptr<KernelOperation> operation, TaskFunction run) {
  const engine::GridRequest& grid = operation->launch.request;
  auto task = std::make_unique<Task>(std::move(operation), run);
  task->request.grid = base::to_triple(grid.grid);
  task->request.block = base::to_triple(grid.block);
  return task;
}

bool run_with_room(const Task& task, Error& error, Error (*run)(const Task& task)) {
  KernelOperation& operation = launch_of(task);
  // Grids of one launch on several devices have no places of their own among the operations.
  operation.launch.request.order = operation.multi == nullptr ? order_of(task) : record::LaunchOrder{};
  const ResidentLaunch resident(operation.launch, operation.priority);
  // The end of the process cancels the launches that are resident then; this one may have come after that.
  if (resident.cancelled() || streams_have_ended()) return false;
  error = run(task);
  return true;
}

}  // namespace warpfiber::streams
