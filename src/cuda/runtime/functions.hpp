// SPDX-License-Identifier: Apache-2.0
// Kernels as values of CUDA's host interface: their attributes, what a program may set for them, and the occupancy
// questions about them, all for the current device. `function` is the address of a kernel; where it is none, the answer
// is Error::invalid_device_function. Called by abi.
#pragma once

#include <warpfiber/cuda/api/types.h>
#include <warpfiber/error.hpp>

#include <cstddef>

namespace warpfiber::runtime {

Error function_attributes(cudaFuncAttributes* attributes, const void* function);
Error set_function_attribute(const void* function, cudaFuncAttribute attribute, int value);
/// For settings that only steer caches.
Error check_function(const void* function);
Error function_name(const char** name, const void* function);
/// Offset and size in bytes of parameter `index` in the kernel's parameter memory.
Error parameter_info(const void* function, std::size_t index, std::size_t* offset, std::size_t* bytes);

Error active_blocks(int* blocks, const void* function, int block_threads, std::size_t dynamic_shared);
Error available_shared(std::size_t* bytes, const void* function, int blocks, int block_threads);
Error potential_cluster_size(int* blocks, const void* function, const cudaLaunchConfig_t* config);
Error active_clusters(int* clusters, const void* function, const cudaLaunchConfig_t* config);

/// cudaLaunchKernelExC.
Error launch_with_attributes(const cudaLaunchConfig_t* config, const void* function, void** arguments);

}  // namespace warpfiber::runtime
