// SPDX-License-Identifier: Apache-2.0
// Launches of translated kernels into streams, and functions of the host in them. Any thread of the program may call.
#pragma once

#include <warpfiber/vector_types.hpp>

#include <cstddef>
#include <functional>

#include "runtime/kernels.hpp"
#include "runtime/streams/scheduler.hpp"

namespace warpfiber::runtime {

/// What a launch says besides the kernel and its arguments.
struct StreamLaunch {
  dim3 grid{1};
  dim3 block{1};
  std::size_t dynamic_shared = 0;
  Stream* stream = nullptr;
  dim3 cluster{1};  // blocks; 1: the kernel's own, or none
  bool cooperative = false;
};

/// Checks the launch, copies the arguments and appends it to its stream. Refusals are reported and returned.
Error launch_kernel(const KernelRecord& kernel, const StreamLaunch& how, void* const* arguments);

/// The same for the kernel whose stub is at `function`; Error::invalid_device_function where there is none.
Error launch_kernel(const void* function, const StreamLaunch& how, void* const* arguments);

/// Appends a function of the program's, which gets the error of the device. `always`: also on a device that has failed.
Error submit_host_function(Stream* stream, std::function<void(Error)> function, bool always);

}  // namespace warpfiber::runtime
