// SPDX-License-Identifier: Apache-2.0
// CUDA's runtime: buffers and textures of OpenGL.
#include <warpfiber/cuda/api/gl_interop.h>
#include <warpfiber/cuda/api/runtime.h>

#include "device_memory/graphics/graphics.hpp"
#include "process/explain.hpp"
#include "runtime/calls.hpp"

using namespace warpfiber::device_memory;
using namespace warpfiber::process;
using namespace warpfiber::runtime;
using warpfiber::Error;

namespace {

Error get_gl_devices(unsigned* count, int* devices, unsigned most, cudaGLDeviceList list) {
  if (list < cudaGLDeviceListAll || list > cudaGLDeviceListNextFrame) {
    return fail(Error::invalid_value, {ReasonKind::flags_unknown, static_cast<unsigned>(list)});
  }
  return gl_devices(count, devices, most);
}

Error register_object(unsigned buffer) {
  cudaGraphicsResource_t resource = nullptr;
  return register_gl_buffer(&resource, buffer, cudaGraphicsRegisterFlagsNone);
}

Error map_object(void** memory, unsigned buffer, cudaStream_t stream) {
  if (memory == nullptr) return fail(Error::invalid_value, ReasonKind::result_pointer_null);
  const cudaGraphicsResource_t resource = resource_of_gl_buffer(buffer);
  const Error error = map_graphics(1, &resource, stream);
  return error != Error::success ? error : mapped_pointer(memory, nullptr, resource);
}

Error unmap_object(unsigned buffer, cudaStream_t stream) {
  const cudaGraphicsResource_t resource = resource_of_gl_buffer(buffer);
  return unmap_graphics(1, &resource, stream);
}

}  // namespace

extern "C" {

cudaError_t cudaGLGetDevices(unsigned* count, int* devices, unsigned most, cudaGLDeviceList list) {
  return call(__func__, [&] { return get_gl_devices(count, devices, most, list); });
}
cudaError_t cudaGraphicsGLRegisterBuffer(cudaGraphicsResource** resource, unsigned buffer, unsigned flags) {
  return call(__func__, [&] { return register_gl_buffer(resource, buffer, flags); });
}
cudaError_t cudaGraphicsGLRegisterImage(cudaGraphicsResource** resource, unsigned image, unsigned target,
                                        unsigned flags) {
  return call(__func__, [&] { return register_gl_image(resource, image, target, flags); });
}
cudaError_t cudaGraphicsUnregisterResource(cudaGraphicsResource_t resource) {
  return call(__func__, [&] { return unregister_graphics(resource); });
}
cudaError_t cudaGraphicsResourceSetMapFlags(cudaGraphicsResource_t resource, unsigned flags) {
  return call(__func__, [&] { return set_map_flags(resource, flags); });
}
cudaError_t cudaGraphicsMapResources(int count, cudaGraphicsResource_t* resources, cudaStream_t stream) {
  return call(__func__, [&] { return map_graphics(count, resources, stream); });
}
cudaError_t cudaGraphicsUnmapResources(int count, cudaGraphicsResource_t* resources, cudaStream_t stream) {
  return call(__func__, [&] { return unmap_graphics(count, resources, stream); });
}
cudaError_t cudaGraphicsResourceGetMappedPointer(void** memory, size_t* bytes, cudaGraphicsResource_t resource) {
  return call(__func__, [&] {
    stores_results_at(memory, bytes);
    return mapped_pointer(memory, bytes, resource);
  });
}
cudaError_t cudaGraphicsSubResourceGetMappedArray(cudaArray_t* array, cudaGraphicsResource_t resource, unsigned index,
                                                  unsigned level) {
  return call(__func__, [&] { return mapped_array(array, resource, index, level); });
}

cudaError_t cudaGLSetGLDevice(int device) {
  return cudaSetDevice(device);
}
cudaError_t cudaGLRegisterBufferObject(unsigned buffer) {
  return call(__func__, [&] { return register_object(buffer); });
}
cudaError_t cudaGLMapBufferObject(void** memory, unsigned buffer) {
  return call(__func__, [&] {
    stores_results_at(memory);
    return map_object(memory, buffer, nullptr);
  });
}
cudaError_t cudaGLMapBufferObjectAsync(void** memory, unsigned buffer, cudaStream_t stream) {
  return call(__func__, [&] {
    stores_results_at(memory);
    return map_object(memory, buffer, stream);
  });
}
cudaError_t cudaGLUnmapBufferObject(unsigned buffer) {
  return call(__func__, [&] { return unmap_object(buffer, nullptr); });
}
cudaError_t cudaGLUnmapBufferObjectAsync(unsigned buffer, cudaStream_t stream) {
  return call(__func__, [&] { return unmap_object(buffer, stream); });
}
cudaError_t cudaGLUnregisterBufferObject(unsigned buffer) {
  return call(__func__, [&] { return unregister_graphics(resource_of_gl_buffer(buffer)); });
}
cudaError_t cudaGLSetBufferObjectMapFlags(unsigned buffer, unsigned flags) {
  return call(__func__, [&] { return set_map_flags(resource_of_gl_buffer(buffer), flags); });
}

}  // extern "C"
