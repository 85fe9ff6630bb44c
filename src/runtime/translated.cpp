// SPDX-License-Identifier: Apache-2.0
// `kernel<<<grid, block, shared, stream>>>(arguments)` in two steps: the configuration is kept until the kernel's stub
// is entered. Arguments are evaluated in between and may launch kernels of their own, so configurations form a stack.
#include <warpfiber/cuda/translated.hpp>

#include <vector>

#include "engine/run.hpp"
#include "runtime/explain.hpp"
#include "runtime/host/findings.hpp"
#include "runtime/host/user_call.hpp"
#include "runtime/last_error.hpp"
#include "runtime/launching.hpp"
#include "runtime/reporter.hpp"
#include "runtime/streams/device.hpp"
#include "runtime/streams/kernel_launch.hpp"

namespace warpfiber::cuda {
namespace {

struct Configuration {
  dim3 grid;
  dim3 block;
  std::size_t shared;
  CUstream_st* stream;
  const void* returns_to;
};

thread_local std::vector<Configuration> pending;

}  // namespace

void configure(dim3 grid, dim3 block, std::size_t shared, CUstream_st* stream) {
  // A kernel's launch is refused when its stub is entered; until then it takes no memory.
  if (engine::inside_kernel()) return;
  pending.push_back(Configuration{grid, block, shared, stream, __builtin_return_address(0)});
}

namespace detail {

void launch_configured(const KernelRecord& kernel, void* const* arguments) {
  if (engine::inside_kernel()) {
    runtime::report_refusal(Error::not_supported, "launches from inside a kernel are not supported", "a kernel");
    // The host learns it from the next synchronisation.
    runtime::report_device_error(::warpfiber::detail::current_thread.device, Error::not_supported);
    return;
  }
  if (pending.empty()) {
    runtime::refuse(Error::missing_configuration,
                    "a __global__ function call must be configured: kernel<<<blocks, threads>>>(...)", kernel.stub());
    return;
  }
  const Configuration configuration = pending.back();
  pending.pop_back();
  const runtime::InUserCall of_program(runtime::UserCall{kernel.name, configuration.returns_to});
  runtime::StreamLaunch how;
  how.grid = configuration.grid;
  how.block = configuration.block;
  how.dynamic_shared = configuration.shared;
  how.stream = configuration.stream;
  Error error = runtime::enter_call();
  if (error == Error::success) {
    error = runtime::launch_kernel(kernel, how, arguments);
  } else {
    runtime::tell_at_the_end([finding = runtime::unseen(runtime::launch_after_failure(error, kernel.name))] {
      runtime::report_host_finding(finding);
    });
  }
  if (error != Error::success) runtime::forget_explanation();
  runtime::remember(error);
}

}  // namespace detail
}  // namespace warpfiber::cuda

extern "C" unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, std::size_t shared, CUstream_st* stream) {
  warpfiber::cuda::configure(grid, block, shared, stream);
  return 0;
}
