// SPDX-License-Identifier: Apache-2.0
//
// Prepares a launch, copies its arguments into a task, and submits the task to the stream. A launch on several
// devices is one task for each of them, which start together.
#include "runtime/kernel_launch.hpp"

#include <memory>
#include <new>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "base/index.hpp"
#include "base/locks/annotated_mutex.hpp"
#include "engine/run.hpp"
#include "engine/state/multi_grid.hpp"
#include "launches/kernels/kernel_attributes.hpp"
#include "process/current_device.hpp"
#include "process/errors.hpp"
#include "process/explain.hpp"
#include "process/exploring/determinism.hpp"
#include "process/settings/launching.hpp"
#include "process/settings/observing.hpp"
#include "process/thread_parts.hpp"
#include "record/reason.hpp"
#include "runtime/launching/prepare.hpp"
#include "runtime/process_end.hpp"
#include "runtime/state/runtime_state.hpp"
#include "streams/kernel_operation.hpp"
#include "streams/scheduler.hpp"
#include "streams/streams.hpp"

namespace warpfiber::runtime {

using record::ReasonKind;

namespace {

/// The kernel's call, with copies of what `arguments` point to.
std::shared_ptr<const launches::KernelClosure> closure_of(const process::KernelRecord& kernel, void* const* arguments) {
  return std::make_shared<const launches::KernelClosure>(
      kernel.closure_bytes, kernel.closure_alignment, kernel.destroy,
      [&kernel, arguments](void* memory) { kernel.construct(memory, arguments); });
}

std::shared_ptr<streams::KernelOperation> operation_of(launches::PreparedLaunch&& prepared,
                                                       const process::KernelRecord& kernel, void* const* arguments,
                                                       int priority) {
  auto operation = std::make_shared<streams::KernelOperation>(std::move(prepared), closure_of(kernel, arguments));
  operation->name = kernel.name;
  operation->priority = priority;
  engine::GridRequest& grid = operation->launch.request;
  grid.run_threads = kernel.run_threads;
  if (const process::LaunchSettings& settings = process::launch_settings(); settings.regions) {
    const process::RegisteredFunction block = process::find_block_function(kernel, settings.regions_level);
    grid.run_block = block.run;
    grid.run_block_stack = block.stack_bytes;
    grid.run_block_by_whole_rows = block.needs_whole_rows;
  }
  grid.closure = operation->closure->get();
  grid.closure_bytes = kernel.closure_bytes;
  grid.is_grid_constant = kernel.is_grid_constant;
  grid.body = {kernel.lines.file, kernel.lines.first, kernel.lines.last, kernel.lines.ends_without_call};
  return operation;
}

Error run_host_function(streams::Task& task, Error device) {
  const streams::InHostFunction here(task);
  const auto& function = std::get<streams::HostFunctionOperation>(task.operation);
  if (function.always || device == Error::success) function.call(function, device);
  return Error::success;
}

LaunchConfig config_of(const StreamLaunch& how, int device) {
  LaunchConfig config;
  config.grid = how.grid;
  config.block = how.block;
  config.dynamic_shared = how.dynamic_shared;
  config.cluster = how.cluster;
  config.cooperative = how.cooperative;
  config.device = &process::model_of(device);
  return config;
}

bool same_shape(const StreamLaunch& one, const StreamLaunch& other) {
  return base::to_triple(one.grid) == base::to_triple(other.grid) &&
         base::to_triple(one.block) == base::to_triple(other.block) &&
         base::to_triple(one.cluster) == base::to_triple(other.cluster) && one.dynamic_shared == other.dynamic_shared &&
         one.cooperative == other.cooperative;
}

}  // namespace

struct LastLaunch {
  struct Accepted {
    const void* address;
    int device;
    StreamLaunch how;
    std::uint64_t changes;
    launches::PreparedLaunch launch;
  };

  std::unique_ptr<const Accepted> accepted;
};

namespace {

/// prepare() for a kernel of CUDA source. Programs launch the same thing many times in a row, and what was accepted
/// once is accepted again as long as nothing that launches depend on has changed.
launches::PreparedLaunch prepare_on(int device, const StreamLaunch& how, const void* address) {
  const std::uint64_t changes = launches::changes_of_kernels();
  const bool is_recorded = process::recording_in_progress() != nullptr;
  LastLaunch* const last = is_recorded ? nullptr : process::own_part(&process::ThreadParts::last_launch);
  const LastLaunch::Accepted* const known = last == nullptr ? nullptr : last->accepted.get();
  if (known != nullptr && known->address == address && known->device == device && known->changes == changes &&
      same_shape(known->how, how)) {
    launches::PreparedLaunch launch = known->launch;
    make_next_launch(launch);
    return launch;
  }
  launches::PreparedLaunch launch = prepare(config_of(how, device), address, launches::attributes_of(address));
  if (last != nullptr && launch.ok())
    last->accepted.reset(new (std::nothrow) LastLaunch::Accepted{address, device, how, changes, launch});
  return launch;
}

/// Why the grids cannot be launched together; empty where they can (CUDA Runtime API 12,
/// cudaLaunchCooperativeKernelMultiDevice).
record::Reason complaint_about(std::span<const DeviceLaunch> launches) {
  if (launches.empty()) return ReasonKind::no_devices_to_launch_on;
  std::set<int> devices;
  const DeviceLaunch& first = launches.front();
  for (const DeviceLaunch& one : launches) {
    if (reinterpret_cast<std::uintptr_t>(one.how.stream) <= streams::kPerThreadHandle) {
      return ReasonKind::default_stream_on_devices;
    }
    const std::shared_ptr<streams::Stream> stream = streams::find_stream(one.how.stream);
    if (stream != nullptr && !devices.insert(stream->device).second) {
      return {ReasonKind::streams_of_one_device, stream->device};
    }
    if (one.function != first.function) return ReasonKind::kernels_differ_on_devices;
    if (base::to_triple(one.how.grid) != base::to_triple(first.how.grid) ||
        base::to_triple(one.how.block) != base::to_triple(first.how.block) ||
        one.how.dynamic_shared != first.how.dynamic_shared) {
      return ReasonKind::shapes_differ_on_devices;
    }
  }
  return {};
}

Error refuse_all(Error error, const record::Reason& reason, std::span<const DeviceLaunch> launches) {
  return refuse(error, reason, launches.empty() ? nullptr : launches.front().function).error();
}

/// The grids of a launch on several devices as tasks, in order; empty if one was refused, with the reason in `error`.
std::vector<std::unique_ptr<streams::Task>> make_grids(std::span<const DeviceLaunch> launches,
                                                       const std::shared_ptr<engine::MultiGrid>& multi, Error& error) {
  const process::KernelRecord& kernel = *process::find_kernel(launches.front().function);
  std::vector<std::unique_ptr<streams::Task>> tasks;
  for (const DeviceLaunch& one : launches) {
    const std::shared_ptr<streams::Stream> stream = streams::find_stream(one.how.stream);
    launches::PreparedLaunch launch =
        prepare(config_of(one.how, stream->device), one.function, launches::attributes_of(one.function));
    error = launch.ok() ? process::device_error(stream->device) : refuse_all(launch.error, launch.reason, launches);
    if (error != Error::success) return {};
    const auto rank = static_cast<unsigned>(tasks.size());
    launch.recording = nullptr;  // a record is of one launch
    launch.request.device = stream->device;
    launch.request.multi = multi.get();
    launch.request.multi_rank = rank;
    auto operation = operation_of(std::move(launch), kernel, one.arguments, stream->priority);
    operation->multi = multi;
    operation->rank = rank;
    tasks.push_back(streams::launch_task(std::move(operation)));
  }
  return tasks;
}

}  // namespace

Error launch_on_devices(std::span<const DeviceLaunch> launches, bool wait_before, bool wait_after) {
  const record::Reason complaint = complaint_about(launches);
  if (!complaint.empty()) return refuse_all(Error::invalid_value, complaint, launches);
  const void* function = launches.front().function;
  if (function == nullptr || process::find_kernel(function) == nullptr) {
    return refuse_all(Error::invalid_device_function, ReasonKind::address_of_no_kernel, launches);
  }
  for (const DeviceLaunch& one : launches) {
    if (streams::find_stream(one.how.stream) != nullptr) continue;
    return refuse_all(Error::invalid_resource_handle, ReasonKind::stream_missing, launches);
  }
  Error error = Error::success;
  const auto multi = std::make_shared<engine::MultiGrid>(static_cast<unsigned>(launches.size()));
  std::vector<std::unique_ptr<streams::Task>> tasks = make_grids(launches, multi, error);
  if (error != Error::success) return error;
  // Two launches in the same streams come in the same order in each of them: their grids wait for each other.
  const base::Lock lock(RuntimeState::of_process().launches_on_devices);
  std::vector<streams::StreamPos> earlier;
  for (const DeviceLaunch& one : launches) {
    if (wait_before) earlier.push_back(streams::present_of(streams::find_stream(one.how.stream)));
  }
  std::vector<streams::StreamPos> grids(tasks.size());
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    error = streams::submit(launches[i].how.stream, std::move(tasks[i]), earlier, &grids[i]);
    if (error == Error::success) continue;
    multi->fail();
    return error;
  }
  if (!wait_after) return error;
  for (const DeviceLaunch& one : launches) {
    // Where a grid has already failed, the next call says so.
    streams::submit(one.how.stream, streams::mark_task(), grids);
  }
  return error;
}

Error launch_kernel(const process::KernelRecord& kernel, const StreamLaunch& how, void* const* arguments) {
  const void* address = kernel.stub();
  launches::PreparedLaunch launch = prepare_on(process::current_device(), how, address);
  const std::shared_ptr<streams::Stream> stream = launch.ok() ? streams::find_stream(how.stream) : nullptr;
  if (launch.ok() && (stream == nullptr || stream->device != process::current_device())) {
    launch.error = Error::invalid_resource_handle;
    launch.reason = stream == nullptr ? ReasonKind::stream_missing : ReasonKind::stream_of_other_device;
  }
  if (!launch.ok()) return refuse(launch.error, launch.reason, address, launch.request.facts).error();
  launch.request.device = stream->device;
  if (launch.is_empty) return streams::submit(stream, streams::empty_kernel_task(launch));
  const bool at_once = launch.recording != nullptr;
  auto task = streams::launch_task(operation_of(std::move(launch), kernel, arguments, stream->priority));
  task->request.may_overlap = how.may_overlap;
  // A determinism check records what it starts, and no longer than it runs.
  if (at_once) return streams::submit_and_wait(how.stream, std::move(task));
  streams::StreamPos mark;
  const Error error = streams::submit(stream, std::move(task), {}, &mark);
  // Of kernels that run at the same time a position would name no one statement. The host does not learn of it.
  if (error == Error::success && process::observe_settings().step.has_value()) streams::wait_for(mark);
  return error;
}

Error launch_kernel(const void* function, const StreamLaunch& how, void* const* arguments) {
  const process::KernelRecord* kernel = function == nullptr ? nullptr : process::find_kernel(function);
  if (kernel != nullptr) return launch_kernel(*kernel, how, arguments);
  return refuse(Error::invalid_device_function, ReasonKind::address_of_no_kernel, function).error();
}

Error submit_host_function(const streams::HostFunctionOperation& function) {
  streams::watch_host_functions(leave_dead_program);
  return streams::submit(function.stream, std::make_unique<streams::Task>(function, &run_host_function));
}

}  // namespace warpfiber::runtime
