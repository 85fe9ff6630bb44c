// SPDX-License-Identifier: Apache-2.0
// CUDA's runtime: texture and surface objects.
#include <warpfiber/cuda/api/runtime.h>

#include "device_memory/textures/textures.hpp"
#include "runtime/calls.hpp"

using namespace warpfiber::device_memory;
using namespace warpfiber::runtime;

extern "C" {

cudaError_t cudaCreateTextureObject(cudaTextureObject_t* handle, const cudaResourceDesc* resource,
                                    const cudaTextureDesc* description, const cudaResourceViewDesc* view) {
  return call(__func__, [&] { return make_texture(handle, resource, description, view); });
}
cudaError_t cudaDestroyTextureObject(cudaTextureObject_t handle) {
  return call(__func__, [&] { return destroy_texture(handle); });
}
cudaError_t cudaGetTextureObjectResourceDesc(cudaResourceDesc* resource, cudaTextureObject_t handle) {
  return call(__func__, [&] { return texture_resource(resource, handle); });
}
cudaError_t cudaGetTextureObjectTextureDesc(cudaTextureDesc* description, cudaTextureObject_t handle) {
  return call(__func__, [&] { return texture_description(description, handle); });
}
cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t* handle, const cudaResourceDesc* resource) {
  return call(__func__, [&] { return make_surface(handle, resource); });
}
cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t handle) {
  return call(__func__, [&] { return destroy_surface(handle); });
}
cudaError_t cudaGetSurfaceObjectResourceDesc(cudaResourceDesc* resource, cudaSurfaceObject_t handle) {
  return call(__func__, [&] { return surface_resource(resource, handle); });
}

}  // extern "C"
