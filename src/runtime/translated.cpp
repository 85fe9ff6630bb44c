// SPDX-License-Identifier: Apache-2.0
// `kernel<<<grid, block, shared, stream>>>(arguments)` in two steps: the configuration is kept until the kernel's stub
// is entered. Arguments are evaluated in between and may launch kernels of their own, so configurations form a stack.
#include <warpfiber/cuda/translated.hpp>

#include <vector>

#include "engine/run.hpp"
#include "runtime/kernels.hpp"
#include "runtime/last_error.hpp"
#include "runtime/launching.hpp"

namespace warpfiber::cuda {
namespace {

struct Configuration {
  dim3 grid;
  dim3 block;
  std::size_t shared;
  CUstream_st* stream;
};

thread_local std::vector<Configuration> pending;

}  // namespace

void configure(dim3 grid, dim3 block, std::size_t shared, CUstream_st* stream) {
  // A kernel's launch is refused when its stub is entered; until then it takes no memory.
  if (engine::inside_kernel()) return;
  pending.push_back(Configuration{grid, block, shared, stream});
}

namespace detail {

void launch_configured(const KernelRecord& kernel, void* const* arguments) {
  if (engine::inside_kernel()) {
    runtime::refuse(Error::not_supported, "launches from inside a kernel are not supported", kernel.stub());
    return;
  }
  if (pending.empty()) {
    runtime::refuse(Error::missing_configuration,
                    "a __global__ function call must be configured: kernel<<<blocks, threads>>>(...)", kernel.stub());
    return;
  }
  const Configuration configuration = pending.back();
  pending.pop_back();
  LaunchConfig config;
  config.grid = configuration.grid;
  config.block = configuration.block;
  config.dynamic_shared = configuration.shared;
  runtime::PreparedLaunch launch = runtime::prepare(config, kernel.stub(), runtime::attributes_of(kernel.stub()));
  if (!launch.ok()) {
    runtime::refuse(launch.error, launch.message, kernel.stub());
    return;
  }
  std::vector<char> closure(kernel.closure_bytes);
  kernel.construct(closure.data(), arguments);
  launch.request.run_threads = kernel.run_threads;
  launch.request.closure = closure.data();
  runtime::remember(runtime::execute(launch).error());
  kernel.destroy(closure.data());
}

}  // namespace detail
}  // namespace warpfiber::cuda
