// SPDX-License-Identifier: Apache-2.0
// CUDA's runtime: launches, functions' attributes, occupancy.
#include <warpfiber/cuda/api/runtime.h>

#include <vector>

#include "process/explain.hpp"
#include "runtime/calls.hpp"
#include "runtime/functions.hpp"
#include "runtime/kernel_launch.hpp"

using namespace warpfiber::process;
using namespace warpfiber::runtime;
using warpfiber::Error;

namespace {

StreamLaunch how(dim3 grid, dim3 block, size_t shared, cudaStream_t stream, bool cooperative) {
  StreamLaunch launch;
  launch.grid = grid;
  launch.block = block;
  launch.dynamic_shared = shared;
  launch.stream = stream;
  launch.cooperative = cooperative;
  return launch;
}

Error launch_together(const cudaLaunchParams* launches, unsigned devices, unsigned flags) {
  constexpr unsigned kNoWaitBefore = cudaCooperativeLaunchMultiDeviceNoPreSync;
  constexpr unsigned kNoWaitAfter = cudaCooperativeLaunchMultiDeviceNoPostSync;
  if (launches == nullptr && devices != 0) return fail(Error::invalid_value, ReasonKind::launches_null);
  if ((flags & ~(kNoWaitBefore | kNoWaitAfter)) != 0) return fail(Error::invalid_value, ReasonKind::flags_invalid);
  std::vector<DeviceLaunch> grids;
  for (unsigned i = 0; i < devices; ++i) {
    const cudaLaunchParams& one = launches[i];
    grids.push_back({one.func, how(one.gridDim, one.blockDim, one.sharedMem, one.stream, true), one.args});
  }
  return launch_on_devices(grids, (flags & kNoWaitBefore) == 0, (flags & kNoWaitAfter) == 0);
}

/// Handles of kernels are the kernels' addresses.
template <class Handle>
Error put_handle(Handle* handle, const void* function) {
  if (handle == nullptr) return fail(Error::invalid_value, ReasonKind::result_pointer_null);
  const Error error = check_function(function);
  if (error == Error::success) *handle = reinterpret_cast<Handle>(const_cast<void*>(function));
  return error;
}

}  // namespace

extern "C" {

cudaError_t cudaLaunchKernel(const void* function, dim3 grid, dim3 block, void** arguments, size_t shared,
                             cudaStream_t stream) {
  return call(__func__, [&] { return launch_kernel(function, how(grid, block, shared, stream, false), arguments); });
}
cudaError_t cudaLaunchCooperativeKernel(const void* function, dim3 grid, dim3 block, void** arguments, size_t shared,
                                        cudaStream_t stream) {
  return call(__func__, [&] { return launch_kernel(function, how(grid, block, shared, stream, true), arguments); });
}
cudaError_t cudaLaunchCooperativeKernelMultiDevice(cudaLaunchParams* launches, unsigned devices, unsigned flags) {
  return call(__func__, [&] { return launch_together(launches, devices, flags); });
}
cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* config, const void* function, void** arguments) {
  return call(__func__, [&] { return launch_with_attributes(config, function, arguments); });
}

cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void* function) {
  return call(__func__, [&] { return function_attributes(attributes, function); });
}
cudaError_t cudaFuncSetAttribute(const void* function, cudaFuncAttribute attribute, int value) {
  return call(__func__, [&] { return set_function_attribute(function, attribute, value); });
}
cudaError_t cudaKernelSetAttributeForDevice(cudaKernel_t kernel, cudaFuncAttribute attribute, int value, int) {
  return call(__func__, [&] { return set_function_attribute(kernel, attribute, value); });
}
cudaError_t cudaFuncSetCacheConfig(const void* function, cudaFuncCache) {
  return call(__func__, [&] { return check_function(function); });
}
cudaError_t cudaFuncSetSharedMemConfig(const void* function, cudaSharedMemConfig) {
  return call(__func__, [&] { return check_function(function); });
}
cudaError_t cudaFuncGetName(const char** name, const void* function) {
  return call(__func__, [&] { return function_name(name, function); });
}
cudaError_t cudaFuncGetParamInfo(const void* function, size_t index, size_t* offset, size_t* bytes) {
  return call(__func__, [&] { return parameter_info(function, index, offset, bytes); });
}
cudaError_t cudaGetFuncBySymbol(cudaFunction_t* handle, const void* function) {
  return call(__func__, [&] { return put_handle(handle, function); });
}
cudaError_t cudaGetKernel(cudaKernel_t* handle, const void* function) {
  return call(__func__, [&] { return put_handle(handle, function); });
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* function, int threads,
                                                          size_t shared) {
  return call(__func__, [&] { return active_blocks(blocks, function, threads, shared); });
}
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, const void* function, int threads,
                                                                   size_t shared, unsigned) {
  return call(__func__, [&] { return active_blocks(blocks, function, threads, shared); });
}
cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t* bytes, const void* function, int blocks, int threads) {
  return call(__func__, [&] { return available_shared(bytes, function, blocks, threads); });
}
cudaError_t cudaOccupancyMaxPotentialClusterSize(int* size, const void* function, const cudaLaunchConfig_t* config) {
  return call(__func__, [&] { return potential_cluster_size(size, function, config); });
}
cudaError_t cudaOccupancyMaxActiveClusters(int* clusters, const void* function, const cudaLaunchConfig_t* config) {
  return call(__func__, [&] { return active_clusters(clusters, function, config); });
}

}  // extern "C"
