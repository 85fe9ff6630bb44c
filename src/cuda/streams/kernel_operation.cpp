// SPDX-License-Identifier: Apache-2.0
//
// The order of operations before the launch is taken when its turn has come, and its room on the device is held until
// its findings are reported.
#include "streams/kernel_operation.hpp"

#include <string>
#include <utility>
#include <variant>

#include "base/contract.hpp"
#include "base/index.hpp"
#include "engine/sharing/device_share.hpp"
#include "engine/state/multi_grid.hpp"
#include "launches/execute.hpp"
#include "launches/host/host_threads.hpp"
#include "process/errors.hpp"
#include "process/findings/findings_log.hpp"
#include "process/findings/result_use.hpp"
#include "process/kernels.hpp"
#include "streams/streams.hpp"

namespace warpfiber::streams {
namespace {

/// Work of streams, threads of the host, and other processes.
class StreamActivity final : public engine::ProcessActivity {
 public:
  bool can_help(unsigned launches, bool any_spins) const override {
    return work_can_go_on(launches) || launches::hosts_can_help() ||
           (any_spins && launches::other_processes_can_help());
  }
  std::optional<record::OutsideHelp> waited_for() const override { return launches::waited_for_helpers(); }
  std::string name_of(const void* kernel) const override { return process::kernel_name(kernel); }
};

constexpr StreamActivity kActivity;

/// A launch whose turn has come: the order of operations before it is taken, it gets its share of its device, and holds
/// that until `end`, which gets the result, has returned. False: the launch was cancelled before it had room.
template <class End>
bool run_with_room(const Task& task, KernelOperation& operation, End end) {
  launches::PreparedLaunch& launch = operation.launch;
  // Grids of one launch on several devices have no places of their own among the operations.
  launch.request.order = operation.multi == nullptr ? order_of(task) : record::LaunchOrder{};
  if (operation.name != nullptr) launch.request.order.call = operation.name;
  launches::watch_hosts_anew();
  const engine::DeviceShare share(launch.request, *launch.model, launch.attributes, operation.priority, kActivity);
  // The end of the process cancels the launches that are resident then; this one may have come after that.
  if (share.cancelled() || streams_have_ended()) return false;
  end(launches::execute(launch));
  return true;
}

/// The same of a kernel of CUDA source; `error`: what has gone wrong with the device.
bool run_with_room(const Task& task, KernelOperation& operation, Error& error) {
  return run_with_room(task, operation, [&error](const LaunchResult& result) {
    error = result.error();
    // A process that ends cuts its kernels short.
    if (error != Error::success && !streams_have_ended()) process::note_kernel_failure();
  });
}

Error run_kernel(const Task& task, KernelOperation& operation, Error before) {
  if (before != Error::success) return Error::success;
  Error error = Error::success;
  static_cast<void>(run_with_room(task, operation, error));
  return error;
}

/// One grid of a launch on several devices. What goes wrong in one of them is an error of all that it cuts short.
Error run_kernel_with_others(const Task& task, KernelOperation& operation, Error before) {
  engine::MultiGrid& multi = *operation.multi;
  if (before != Error::success) multi.fail();
  if (multi.failed()) return Error::launch_failure;
  Error error = Error::success;
  const bool cancelled = !run_with_room(task, operation, error);
  if (cancelled) multi.fail();
  const bool cut_short = cancelled || multi.was_cut_short(operation.rank);
  return error == Error::success && cut_short ? Error::launch_failure : error;
}

/// A failure of a native launch is no failure of its device: it is kept with the stream, unless a thread waits.
void deliver(Stream& stream, const KernelOperation& operation, LaunchResult made) {
  if (operation.result != nullptr) {
    *operation.result = std::move(made);
  } else if (!made.ok()) {
    stream.failure.keep(std::move(made));
  }
}

/// What a failed device or the end of the process cuts short finds nothing of its own.
void deliver_end(Stream& stream, const KernelOperation& operation, LaunchResult result) {
  const Error device = process::device_error(stream.device);
  deliver(stream, operation, result.ok() && device != Error::success ? result_of(device) : std::move(result));
}

void run_native(Stream& stream, const Task& task, KernelOperation& operation, Error before) {
  if (before != Error::success) return deliver(stream, operation, result_of(before));
  const auto end = [&](LaunchResult result) { deliver_end(stream, operation, std::move(result)); };
  if (!run_with_room(task, operation, end)) end(LaunchResult());
}

Error run_launch(Stream& stream, const Task& task, KernelOperation& operation, Error before) {
  if (operation.multi != nullptr) return run_kernel_with_others(task, operation, before);
  if (operation.name != nullptr) return run_kernel(task, operation, before);
  run_native(stream, task, operation, before);
  return Error::success;
}

}  // namespace

Error carry_out(Stream& stream, Task& task, Error before) {
  if (task.run != nullptr) return task.run(task, before);
  if (const auto* const launch = std::get_if<std::shared_ptr<KernelOperation>>(&task.operation))
    return run_launch(stream, task, **launch, before);
  WARPFIBER_CONTRACT(std::holds_alternative<EmptyKernelOperation>(task.operation),
                     "what is no launch of a kernel has a function");
  if (before == Error::success) process::count_launch();
  return Error::success;
}

std::unique_ptr<Task> launch_task(std::shared_ptr<KernelOperation> operation) {
  const engine::GridRequest& grid = operation->launch.request;
  auto task = std::make_unique<Task>(std::move(operation));
  task->request.grid = base::to_triple(grid.grid);
  task->request.block = base::to_triple(grid.block);
  return task;
}

std::unique_ptr<Task> empty_kernel_task(const launches::PreparedLaunch& launch) {
  auto task = std::make_unique<Task>(EmptyKernelOperation{});
  task->request.grid = base::to_triple(launch.request.grid);
  task->request.block = base::to_triple(launch.request.block);
  return task;
}

LaunchResult result_of(Error error) {
  return error == Error::success ? LaunchResult() : LaunchResult(error, nullptr, error_string(error));
}

}  // namespace warpfiber::streams
