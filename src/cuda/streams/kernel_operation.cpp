// SPDX-License-Identifier: Apache-2.0
//
// The order of operations before the launch is taken when its turn has come, and its room on the device is held until
// its findings are reported.
#include "streams/kernel_operation.hpp"

#include <optional>
#include <string>
#include <utility>

#include "base/index.hpp"
#include "engine/sharing/device_share.hpp"
#include "process/kernels.hpp"
#include "streams/host/host_threads.hpp"
#include "streams/streams.hpp"

namespace warpfiber::streams {
namespace {

/// Work of streams, threads of the host, and other processes.
class StreamActivity final : public engine::ProcessActivity {
 public:
  bool can_help(unsigned launches, bool any_spins) const override {
    return work_can_go_on(launches) || hosts_can_help() || (any_spins && other_processes_can_help());
  }
  std::optional<record::OutsideHelp> waited_for() const override { return waited_for_helpers(); }
  std::string name_of(const void* kernel) const override { return process::kernel_name(kernel); }
};

constexpr StreamActivity kActivity;

}  // namespace

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
  watch_hosts_anew();
  PreparedLaunch& launch = operation.launch;
  const engine::DeviceShare share(launch.request, *launch.model, launch.attributes, operation.priority, kActivity);
  // The end of the process cancels the launches that are resident then; this one may have come after that.
  if (share.cancelled() || streams_have_ended()) return false;
  error = run(task);
  return true;
}

}  // namespace warpfiber::streams
