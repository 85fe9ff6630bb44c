// SPDX-License-Identifier: Apache-2.0
// The allocation functions of CUDA's runtime. Sizes and pitches are in bytes. Called by abi.
#pragma once

#include <warpfiber/cuda/api/types.h>
#include <warpfiber/error.hpp>

#include <cstddef>

namespace warpfiber::device_memory {

/// cudaMalloc: null for 0 bytes.
Error malloc_device(void** memory, std::size_t bytes);
/// cudaFree: of device or managed memory, after all work of the device. Null is no error.
Error free_device(void* memory);

/// cudaFreeAsync, in the order of `stream`; memory is allocated in it by pools.
Error free_async(void* memory, cudaStream_t stream);

/// cudaMallocManaged: exactly one of cudaMemAttachGlobal and cudaMemAttachHost.
Error malloc_managed(void** memory, std::size_t bytes, unsigned flags);

/// cudaMallocPitch and cudaMalloc3D: rows begin at multiples of the model's texture alignment.
Error malloc_pitch(void** memory, std::size_t* pitch, std::size_t width, std::size_t height, std::size_t depth);

/// cudaHostAlloc, cudaMallocHost and cudaFreeHost.
Error malloc_host(void** memory, std::size_t bytes, unsigned flags);
Error free_host(void* memory);

/// cudaHostRegister and cudaHostUnregister.
Error register_host(void* memory, std::size_t bytes, unsigned flags);
Error unregister_host(void* memory);

/// cudaHostGetDevicePointer and cudaHostGetFlags, of pinned or registered memory.
Error host_device_pointer(void** device, void* host, unsigned flags);
Error host_flags(unsigned* flags, void* host);

/// cudaMemGetInfo, of the current device.
Error memory_info(std::size_t* free, std::size_t* total);

}  // namespace warpfiber::device_memory
