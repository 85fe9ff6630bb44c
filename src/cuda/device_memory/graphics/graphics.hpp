// SPDX-License-Identifier: Apache-2.0
// Buffers and textures of OpenGL that the program has registered: as long as one is mapped, its elements are in memory
// of the device. Called by abi, on the thread whose context of OpenGL is current.
#pragma once

#include <warpfiber/cuda/api/types.h>
#include <warpfiber/error.hpp>

#include <cstddef>
#include <optional>

namespace warpfiber::device_memory {

/// cudaGraphicsGLRegisterBuffer, cudaGraphicsGLRegisterImage and cudaGraphicsUnregisterResource.
Error register_gl_buffer(cudaGraphicsResource_t* resource, unsigned buffer, unsigned flags);
Error register_gl_image(cudaGraphicsResource_t* resource, unsigned image, unsigned target, unsigned flags);
Error unregister_graphics(cudaGraphicsResource_t resource);

/// cudaGraphicsResourceSetMapFlags.
Error set_map_flags(cudaGraphicsResource_t resource, unsigned flags);

/// cudaGraphicsMapResources: allocates memory of the device and copies into it what OpenGL has, unless the flags say
/// that it is discarded. cudaGraphicsUnmapResources: copies it back, unless they say that it was read only, and frees
/// it. Both in the order of `stream`, and the caller goes on when it is done.
Error map_graphics(int count, const cudaGraphicsResource_t* resources, cudaStream_t stream);
Error unmap_graphics(int count, const cudaGraphicsResource_t* resources, cudaStream_t stream);

/// cudaGraphicsResourceGetMappedPointer and cudaGraphicsSubResourceGetMappedArray. `bytes` may be null.
Error mapped_pointer(void** pointer, std::size_t* bytes, cudaGraphicsResource_t resource);
Error mapped_array(cudaArray_t* array, cudaGraphicsResource_t resource, unsigned index, unsigned level);

/// The resource of a buffer, for the older functions that take the buffer's name (cudaGLMapBufferObject).
cudaGraphicsResource_t resource_of_gl_buffer(unsigned buffer);

/// cudaGLGetDevices: the current device, which shares buffers with whatever draws.
Error gl_devices(unsigned* count, int* devices, unsigned most);

/// Ends the resources of a device, whose memory is freed with all other memory of it.
void forget_graphics(int device);

}  // namespace warpfiber::device_memory
