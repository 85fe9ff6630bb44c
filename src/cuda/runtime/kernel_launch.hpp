// SPDX-License-Identifier: Apache-2.0
// Launches of translated kernels into streams, and functions of the host in them. Any thread of the program may call.
#pragma once

#include <warpfiber/detail/vector_types.hpp>

#include <cstddef>
#include <memory>
#include <span>

#include "launches/prepared_launch.hpp"
#include "process/kernels.hpp"
#include "streams/scheduler.hpp"

namespace warpfiber::runtime {

/// What a launch says besides the kernel and its arguments.
struct StreamLaunch {
  dim3 grid{1};
  dim3 block{1};
  std::size_t dynamic_shared = 0;
  streams::Stream* stream = nullptr;
  dim3 cluster{1};  // blocks; 1: the kernel's own, or none
  bool cooperative = false;
  bool may_overlap = false;  // begins where the kernel before it in the stream allows it
};

/// Checks the launch, copies the arguments and appends it to its stream. Refusals are reported and returned.
Error launch_kernel(const process::KernelRecord& kernel, const StreamLaunch& how, void* const* arguments);

/// The same for the kernel whose stub is at `function`; Error::invalid_device_function where there is none.
Error launch_kernel(const void* function, const StreamLaunch& how, void* const* arguments);

/// One grid of a launch on several devices.
struct DeviceLaunch {
  const void* function = nullptr;  // the stub
  StreamLaunch how;                // the stream says which device
  void* const* arguments = nullptr;
};

/// Launches a cooperative grid of one kernel on each of several devices; their threads can wait for each other.
/// `wait_before`: no grid starts before all that the streams have been given is completed; `wait_after`: further work
/// of the streams waits for all grids. Refusals are reported and returned.
Error launch_on_devices(std::span<const DeviceLaunch> launches, bool wait_before, bool wait_after);

/// Appends a function of the program's to the stream that it names.
Error submit_host_function(const streams::HostFunctionOperation& function);

}  // namespace warpfiber::runtime
