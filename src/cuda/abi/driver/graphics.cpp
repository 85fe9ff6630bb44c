// SPDX-License-Identifier: Apache-2.0
// CUDA's driver interface: buffers and textures of OpenGL.
#include <warpfiber/cuda/driver/gl_graphics.h>

#include <vector>

#include "abi/driver/driver_call.hpp"
#include "device_memory/graphics/graphics.hpp"

using namespace warpfiber::abi;
using namespace warpfiber::device_memory;
using namespace warpfiber::process;
using warpfiber::Error;

namespace {

/// The handles of the two interfaces are of the same objects.
cudaGraphicsResource_t of_runtime(CUgraphicsResource resource) {
  return reinterpret_cast<cudaGraphicsResource_t>(resource);
}

std::vector<cudaGraphicsResource_t> of_runtime(const CUgraphicsResource* resources, unsigned count) {
  std::vector<cudaGraphicsResource_t> same;
  for (unsigned i = 0; resources != nullptr && i < count; ++i) same.push_back(of_runtime(resources[i]));
  return same;
}

template <class Work>
Error put_resource(CUgraphicsResource* resource, Work&& work) {
  cudaGraphicsResource_t made = nullptr;
  const Error error = work(resource != nullptr ? &made : nullptr);
  if (error == Error::success) *resource = reinterpret_cast<CUgraphicsResource>(made);
  return error;
}

}  // namespace

extern "C" {

CUresult cuGLGetDevices(unsigned* count, CUdevice* devices, unsigned most, CUGLDeviceList list) {
  return driver_call_without_context("cuGLGetDevices", [&] {
    if (list < CU_GL_DEVICE_LIST_ALL || list > CU_GL_DEVICE_LIST_NEXT_FRAME) {
      return fail(Error::invalid_value, {ReasonKind::flags_unknown, static_cast<unsigned>(list)});
    }
    return gl_devices(count, devices, most);
  });
}
CUresult cuGraphicsGLRegisterBuffer(CUgraphicsResource* resource, unsigned buffer, unsigned flags) {
  return driver_call("cuGraphicsGLRegisterBuffer", [&] {
    return put_resource(resource, [&](auto* made) { return register_gl_buffer(made, buffer, flags); });
  });
}
CUresult cuGraphicsGLRegisterImage(CUgraphicsResource* resource, unsigned image, unsigned target, unsigned flags) {
  return driver_call("cuGraphicsGLRegisterImage", [&] {
    return put_resource(resource, [&](auto* made) { return register_gl_image(made, image, target, flags); });
  });
}
CUresult cuGraphicsUnregisterResource(CUgraphicsResource resource) {
  return driver_call("cuGraphicsUnregisterResource", [&] { return unregister_graphics(of_runtime(resource)); });
}
CUresult cuGraphicsResourceSetMapFlags(CUgraphicsResource resource, unsigned flags) {
  return driver_call("cuGraphicsResourceSetMapFlags", [&] { return set_map_flags(of_runtime(resource), flags); });
}
CUresult cuGraphicsMapResources(unsigned count, CUgraphicsResource* resources, CUstream stream) {
  return driver_call("cuGraphicsMapResources", [&] {
    const auto all = of_runtime(resources, count);
    return map_graphics(static_cast<int>(count), all.empty() ? nullptr : all.data(), stream);
  });
}
CUresult cuGraphicsUnmapResources(unsigned count, CUgraphicsResource* resources, CUstream stream) {
  return driver_call("cuGraphicsUnmapResources", [&] {
    const auto all = of_runtime(resources, count);
    return unmap_graphics(static_cast<int>(count), all.empty() ? nullptr : all.data(), stream);
  });
}
CUresult cuGraphicsResourceGetMappedPointer(CUdeviceptr* address, size_t* bytes, CUgraphicsResource resource) {
  return driver_call("cuGraphicsResourceGetMappedPointer", [&] {
    return put_address(address, [&](void** at) { return mapped_pointer(at, bytes, of_runtime(resource)); });
  });
}

}  // extern "C"
