// SPDX-License-Identifier: Apache-2.0
// CUDA's occupancy queries as C++ calls them, with kernels as they are and functions that say how much shared memory a
// block of some size needs. Included by overloads.hpp.
#pragma once

#include <warpfiber/cuda/api/runtime.h>

namespace warpfiber::cuda::detail {

/// What the search for the best block size has to know.
struct BlockSizeLimits {
  int sm_threads = 0;
  int sm_count = 0;
  int warp = 0;
  int block = 0;
};

template <class T>
cudaError_t block_size_limits(T kernel, int wanted, BlockSizeLimits& limits) {
  int device = 0;
  cudaFuncAttributes attributes{};
  const cudaError_t errors[] = {
      ::cudaGetDevice(&device),
      ::cudaDeviceGetAttribute(&limits.sm_threads, cudaDevAttrMaxThreadsPerMultiProcessor, device),
      ::cudaDeviceGetAttribute(&limits.sm_count, cudaDevAttrMultiProcessorCount, device),
      ::cudaDeviceGetAttribute(&limits.warp, cudaDevAttrWarpSize, device),
      ::cudaDeviceGetAttribute(&limits.block, cudaDevAttrMaxThreadsPerBlock, device),
      ::cudaFuncGetAttributes(&attributes, (const void*)kernel),
  };
  for (const cudaError_t error : errors) {
    if (error != cudaSuccess) return error;
  }
  if (attributes.maxThreadsPerBlock < limits.block) limits.block = attributes.maxThreadsPerBlock;
  if (wanted > 0 && wanted < limits.block) limits.block = wanted;
  return cudaSuccess;
}

}  // namespace warpfiber::cuda::detail

template <class T>
inline cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, T kernel, int block_size,
                                                                          size_t dynamic_shared, unsigned flags) {
  return ::cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, (const void*)kernel, block_size,
                                                                  dynamic_shared, flags);
}
template <class T>
inline cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, T kernel, int block_size,
                                                                 size_t dynamic_shared) {
  return ::cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, (const void*)kernel, block_size, dynamic_shared);
}
template <class T>
inline cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t* bytes, T* kernel, int blocks, int block_size) {
  return ::cudaOccupancyAvailableDynamicSMemPerBlock(bytes, (const void*)kernel, blocks, block_size);
}
template <class T>
inline cudaError_t cudaOccupancyMaxPotentialClusterSize(int* size, T* kernel, const cudaLaunchConfig_t* config) {
  return ::cudaOccupancyMaxPotentialClusterSize(size, (const void*)kernel, config);
}
template <class T>
inline cudaError_t cudaOccupancyMaxActiveClusters(int* clusters, T* kernel, const cudaLaunchConfig_t* config) {
  return ::cudaOccupancyMaxActiveClusters(clusters, (const void*)kernel, config);
}

/// The block size with the most resident threads, the larger of several, and the fewest blocks that fill the device.
/// `shared_for(threads)` returns bytes.
template <class SharedFor, class T>
inline cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(int* min_grid, int* block_size, T kernel,
                                                                           SharedFor shared_for,
                                                                           int block_size_limit = 0,
                                                                           unsigned flags = 0) {
  if (min_grid == nullptr || block_size == nullptr || kernel == nullptr) return cudaErrorInvalidValue;
  warpfiber::cuda::detail::BlockSizeLimits limits;
  const cudaError_t error = warpfiber::cuda::detail::block_size_limits(kernel, block_size_limit, limits);
  if (error != cudaSuccess) return error;
  int best_size = 0;
  int best_blocks = 0;
  for (int size = limits.block; size > 0; size = (size - 1) / limits.warp * limits.warp) {
    int blocks = 0;
    const cudaError_t status = ::cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
        &blocks, (const void*)kernel, size, static_cast<size_t>(shared_for(size)), flags);
    if (status != cudaSuccess) return status;
    if (blocks * size > best_blocks * best_size) {
      best_size = size;
      best_blocks = blocks;
    }
    if (best_blocks * best_size == limits.sm_threads) break;
  }
  *min_grid = best_blocks * limits.sm_count;
  *block_size = best_size;
  return cudaSuccess;
}
template <class SharedFor, class T>
inline cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMem(int* min_grid, int* block_size, T kernel,
                                                                  SharedFor shared_for, int block_size_limit = 0) {
  return cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(min_grid, block_size, kernel, shared_for,
                                                                 block_size_limit);
}
template <class T>
inline cudaError_t cudaOccupancyMaxPotentialBlockSizeWithFlags(int* min_grid, int* block_size, T kernel,
                                                               size_t dynamic_shared = 0, int block_size_limit = 0,
                                                               unsigned flags = 0) {
  return cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(
      min_grid, block_size, kernel, [dynamic_shared](int) { return dynamic_shared; }, block_size_limit, flags);
}
template <class T>
inline cudaError_t cudaOccupancyMaxPotentialBlockSize(int* min_grid, int* block_size, T kernel,
                                                      size_t dynamic_shared = 0, int block_size_limit = 0) {
  return cudaOccupancyMaxPotentialBlockSizeWithFlags(min_grid, block_size, kernel, dynamic_shared, block_size_limit);
}
