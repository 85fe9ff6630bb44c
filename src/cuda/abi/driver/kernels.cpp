// SPDX-License-Identifier: Apache-2.0
// CUDA's driver interface: kernels of the program, whose handles the runtime gives out (cudaGetFuncBySymbol,
// cudaGetKernel), their attributes and launches.
#include <warpfiber/cuda/driver/execution.h>

#include <bit>
#include <vector>

#include "abi/driver/driver_call.hpp"
#include "runtime/functions.hpp"

using namespace warpfiber::abi;
using namespace warpfiber::process;
using namespace warpfiber::runtime;
using warpfiber::Error;

namespace {

/// Where each argument is in the buffer that `extra` names.
Error arguments_in(void** extra, const void* function, std::vector<void*>* arguments) {
  char* buffer = nullptr;
  std::size_t bytes = 0;
  for (; *extra != CU_LAUNCH_PARAM_END; extra += 2) {
    if (*extra == CU_LAUNCH_PARAM_BUFFER_POINTER) {
      buffer = static_cast<char*>(extra[1]);
    } else if (*extra == CU_LAUNCH_PARAM_BUFFER_SIZE) {
      bytes = *static_cast<std::size_t*>(extra[1]);
    } else {
      return fail(Error::invalid_value, ReasonKind::launch_arguments_malformed);
    }
  }
  std::size_t offset = 0;
  std::size_t size = 0;
  for (std::size_t i = 0; parameter_info(function, i, &offset, &size) == Error::success; ++i) {
    if (buffer == nullptr || offset + size > bytes)
      return fail(Error::invalid_value, ReasonKind::launch_arguments_malformed);
    arguments->push_back(buffer + offset);
  }
  forget_explanation();  // of the parameter behind the last one
  return Error::success;
}

Error launch(const cudaLaunchConfig_t& config, const void* function, void** parameters, void** extra) {
  if (extra == nullptr) return launch_with_attributes(&config, function, parameters);
  if (parameters != nullptr) return fail(Error::invalid_value, ReasonKind::launch_arguments_malformed);
  if (const Error error = check_function(function); error != Error::success) return error;
  std::vector<void*> arguments;
  const Error error = arguments_in(extra, function, &arguments);
  return error == Error::success ? launch_with_attributes(&config, function, arguments.data()) : error;
}

Error launch_config(const CUlaunchConfig* from, const void* function, void** parameters, void** extra) {
  if (from == nullptr || (from->numAttrs != 0 && from->attrs == nullptr))
    return fail(Error::invalid_value, ReasonKind::configuration_null);
  std::vector<cudaLaunchAttribute> attributes;
  for (unsigned i = 0; i < from->numAttrs; ++i)
    attributes.push_back(std::bit_cast<cudaLaunchAttribute>(from->attrs[i]));
  cudaLaunchConfig_t config{};
  config.gridDim = {from->gridDimX, from->gridDimY, from->gridDimZ};
  config.blockDim = {from->blockDimX, from->blockDimY, from->blockDimZ};
  config.dynamicSmemBytes = from->sharedMemBytes;
  config.stream = from->hStream;
  config.attrs = attributes.data();
  config.numAttrs = from->numAttrs;
  return launch(config, function, parameters, extra);
}

Error attribute_of(int* value, CUfunction_attribute attribute, const void* function) {
  if (value == nullptr) return fail(Error::invalid_value, ReasonKind::result_pointer_null);
  cudaFuncAttributes all{};
  if (const Error error = function_attributes(&all, function); error != Error::success) return error;
  switch (attribute) {
    case CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK: return put(value, all.maxThreadsPerBlock);
    case CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES: return put(value, all.sharedSizeBytes);
    case CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES: return put(value, all.constSizeBytes);
    case CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES: return put(value, all.localSizeBytes);
    case CU_FUNC_ATTRIBUTE_NUM_REGS: return put(value, all.numRegs);
    case CU_FUNC_ATTRIBUTE_PTX_VERSION: return put(value, all.ptxVersion);
    case CU_FUNC_ATTRIBUTE_BINARY_VERSION: return put(value, all.binaryVersion);
    case CU_FUNC_ATTRIBUTE_CACHE_MODE_CA: return put(value, all.cacheModeCA);
    case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES: return put(value, all.maxDynamicSharedSizeBytes);
    case CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT: return put(value, all.preferredShmemCarveout);
    case CU_FUNC_ATTRIBUTE_CLUSTER_SIZE_MUST_BE_SET: return put(value, all.clusterDimMustBeSet);
    case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH: return put(value, all.requiredClusterWidth);
    case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT: return put(value, all.requiredClusterHeight);
    case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH: return put(value, all.requiredClusterDepth);
    case CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED: return put(value, all.nonPortableClusterSizeAllowed);
    case CU_FUNC_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE:
      return put(value, all.clusterSchedulingPolicyPreference);
    default: return fail(Error::invalid_value, {ReasonKind::attribute_unknown, static_cast<int>(attribute)});
  }
}

Error set_attribute(const void* function, CUfunction_attribute attribute, int value) {
  return set_function_attribute(function, static_cast<cudaFuncAttribute>(attribute), value);
}

Error function_of(CUfunction* to, CUkernel kernel) {
  const Error error = check_function(kernel);
  return error == Error::success ? put(to, reinterpret_cast<CUfunction>(kernel)) : error;
}

}  // namespace

extern "C" {

CUresult cuLaunchKernel(CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,
                        unsigned block_y, unsigned block_z, unsigned shared, CUstream stream, void** parameters,
                        void** extra) {
  const CUlaunchConfig config{grid_x, grid_y, grid_z, block_x, block_y, block_z, shared, stream, nullptr, 0};
  return driver_call("cuLaunchKernel", [&] { return launch_config(&config, function, parameters, extra); });
}
CUresult cuLaunchKernelEx(const CUlaunchConfig* config, CUfunction function, void** parameters, void** extra) {
  return driver_call("cuLaunchKernelEx", [&] { return launch_config(config, function, parameters, extra); });
}
CUresult cuLaunchCooperativeKernel(CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                                   unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared,
                                   CUstream stream, void** parameters) {
  CUlaunchAttribute cooperative{};
  cooperative.id = CU_LAUNCH_ATTRIBUTE_COOPERATIVE;
  cooperative.value.cooperative = 1;
  const CUlaunchConfig config{grid_x, grid_y, grid_z, block_x, block_y, block_z, shared, stream, &cooperative, 1};
  return driver_call("cuLaunchCooperativeKernel",
                     [&] { return launch_config(&config, function, parameters, nullptr); });
}

CUresult cuFuncGetAttribute(int* value, CUfunction_attribute attribute, CUfunction function) {
  return driver_call("cuFuncGetAttribute", [&] { return attribute_of(value, attribute, function); });
}
CUresult cuFuncSetAttribute(CUfunction function, CUfunction_attribute attribute, int value) {
  return driver_call("cuFuncSetAttribute", [&] { return set_attribute(function, attribute, value); });
}
CUresult cuFuncSetCacheConfig(CUfunction function, CUfunc_cache) {
  return driver_call("cuFuncSetCacheConfig", [&] { return check_function(function); });
}
CUresult cuFuncGetName(const char** name, CUfunction function) {
  return driver_call("cuFuncGetName", [&] { return function_name(name, function); });
}
CUresult cuFuncLoad(CUfunction function) {
  return driver_call("cuFuncLoad", [&] { return check_function(function); });
}
CUresult cuFuncIsLoaded(CUfunctionLoadingState* state, CUfunction function) {
  return driver_call("cuFuncIsLoaded", [&] {
    const Error error = check_function(function);
    return error == Error::success ? put(state, CU_FUNCTION_LOADING_STATE_LOADED) : error;
  });
}
CUresult cuKernelGetFunction(CUfunction* function, CUkernel kernel) {
  return driver_call("cuKernelGetFunction", [&] { return function_of(function, kernel); });
}
CUresult cuKernelGetName(const char** name, CUkernel kernel) {
  return driver_call("cuKernelGetName", [&] { return function_name(name, kernel); });
}
CUresult cuKernelGetAttribute(int* value, CUfunction_attribute attribute, CUkernel kernel, CUdevice) {
  return driver_call("cuKernelGetAttribute", [&] { return attribute_of(value, attribute, kernel); });
}
CUresult cuKernelSetAttribute(CUfunction_attribute attribute, int value, CUkernel kernel, CUdevice) {
  return driver_call("cuKernelSetAttribute", [&] { return set_attribute(kernel, attribute, value); });
}

CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, CUfunction function, int threads, size_t shared) {
  return driver_call("cuOccupancyMaxActiveBlocksPerMultiprocessor",
                     [&] { return active_blocks(blocks, function, threads, shared); });
}
CUresult cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, CUfunction function, int threads,
                                                              size_t shared, unsigned) {
  return driver_call("cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags",
                     [&] { return active_blocks(blocks, function, threads, shared); });
}
CUresult cuOccupancyAvailableDynamicSMemPerBlock(size_t* bytes, CUfunction function, int blocks, int threads) {
  return driver_call("cuOccupancyAvailableDynamicSMemPerBlock",
                     [&] { return available_shared(bytes, function, blocks, threads); });
}

}  // extern "C"
