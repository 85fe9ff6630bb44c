// SPDX-License-Identifier: Apache-2.0
//
// Memory of a mapped resource is allocated when it is mapped, so what uses its address afterwards uses freed memory.
// Source of errors: CUDA Driver API, "Graphics Interoperability"; the runtime gives the driver's.
#include "device_memory/graphics/graphics.hpp"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "base/locks/annotated_mutex.hpp"
#include "device_memory/allocation.hpp"
#include "device_memory/arrays.hpp"
#include "device_memory/copies.hpp"
#include "device_memory/graphics/opengl.hpp"
#include "device_memory/state/device_memory_state.hpp"
#include "process/current_device.hpp"
#include "process/explain.hpp"

/// What the handle points to.
struct cudaGraphicsResource {
  unsigned name = 0;
  unsigned target = 0;  // of a texture; 0: a buffer
  unsigned registered = 0;
  unsigned flags = 0;
  int device = 0;
  // While it is mapped:
  void* memory = nullptr;
  std::size_t bytes = 0;
  cudaArray_t array = nullptr;

  bool is_mapped() const { return memory != nullptr || array != nullptr; }
  bool has(unsigned flag) const { return ((registered | flags) & flag) != 0; }
};

namespace warpfiber::device_memory {

using process::fail;
using record::ReasonKind;

struct GraphicsResources {
  base::Mutex mutex;
  std::vector<std::unique_ptr<cudaGraphicsResource>> live WARPFIBER_GUARDED_BY(mutex);
};

namespace {

constexpr unsigned kBufferFlags = cudaGraphicsRegisterFlagsReadOnly | cudaGraphicsRegisterFlagsWriteDiscard;
constexpr unsigned kImageFlags =
    kBufferFlags | cudaGraphicsRegisterFlagsSurfaceLoadStore | cudaGraphicsRegisterFlagsTextureGather;
constexpr unsigned kReadOnly = cudaGraphicsMapFlagsReadOnly;
constexpr unsigned kWriteDiscard = cudaGraphicsMapFlagsWriteDiscard;

GraphicsResources& graphics() {
  return DeviceMemoryState::of_process().graphics.get();
}

Error check_registration(const cudaGraphicsResource_t* resource, unsigned flags, unsigned known) {
  if (resource == nullptr) return fail(Error::invalid_value, ReasonKind::result_pointer_null);
  if ((flags & ~known) != 0) return fail(Error::invalid_value, {ReasonKind::flags_unknown, flags});
  if (!has_opengl()) return fail(Error::invalid_graphics_context, ReasonKind::graphics_context_missing);
  return Error::success;
}

void add_resource(cudaGraphicsResource_t* resource, const cudaGraphicsResource& made) {
  GraphicsResources& all = graphics();
  const base::Lock lock(all.mutex);
  *resource = all.live.emplace_back(std::make_unique<cudaGraphicsResource>(made)).get();
}

bool is_live_resource(cudaGraphicsResource_t resource) {
  GraphicsResources& all = graphics();
  const base::Lock lock(all.mutex);
  return std::ranges::any_of(all.live, [&](const auto& one) { return one.get() == resource; });
}

/// Whether it is registered, and mapped if `mapped`.
Error check_resource(cudaGraphicsResource_t resource, bool mapped) {
  if (!is_live_resource(resource)) {
    return fail(Error::invalid_resource_handle, {ReasonKind::handle_unknown, "graphics resource"});
  }
  if (resource->is_mapped() == mapped) return Error::success;
  return mapped ? fail(Error::not_mapped, ReasonKind::graphics_not_mapped)
                : fail(Error::already_mapped, ReasonKind::graphics_mapped);
}

Error check_resources(int count, const cudaGraphicsResource_t* resources, bool mapped) {
  if (count <= 0) return fail(Error::invalid_value, ReasonKind::graphics_count_invalid);
  if (resources == nullptr) return fail(Error::invalid_value, ReasonKind::pointer_null);
  for (int i = 0; i < count; ++i) {
    const Error wrong = check_resource(resources[i], mapped);
    if (wrong != Error::success) return wrong;
  }
  return Error::success;
}

Order now_in(cudaStream_t stream) {
  return {stream, false};
}

void release_mapping(cudaGraphicsResource& mapped) {
  static_cast<void>(free_device(std::exchange(mapped.memory, nullptr)));
  static_cast<void>(free_array(std::exchange(mapped.array, nullptr)));
}

Error map_buffer(cudaGraphicsResource& buffer, cudaStream_t stream) {
  const auto bytes = gl_buffer_bytes(buffer.name);
  if (!bytes) return fail(Error::map_buffer_object_failed, {ReasonKind::graphics_buffer_unusable, buffer.name});
  buffer.bytes = *bytes;
  const Error refused = malloc_device(&buffer.memory, buffer.bytes);
  if (refused != Error::success || buffer.has(kWriteDiscard)) return refused;
  std::vector<char> held(buffer.bytes);
  read_gl_buffer(buffer.name, held.data(), held.size());
  return copy(line(buffer.memory, held.size()), line(held.data(), held.size()), process::Box{held.size()},
              cudaMemcpyHostToDevice, now_in(stream));
}

Error unmap_buffer(const cudaGraphicsResource& buffer, cudaStream_t stream) {
  if (buffer.has(kReadOnly)) return Error::success;
  std::vector<char> held(buffer.bytes);
  const Error error = copy(line(held.data(), held.size()), line(buffer.memory, held.size()), process::Box{held.size()},
                           cudaMemcpyDeviceToHost, now_in(stream));
  if (error != Error::success) return error;
  const auto bytes = gl_buffer_bytes(buffer.name);
  if (bytes != buffer.bytes) {
    return fail(Error::unmap_buffer_object_failed, {ReasonKind::graphics_buffer_unusable, buffer.name});
  }
  write_gl_buffer(buffer.name, held.data(), held.size());
  return Error::success;
}

Error map_image(cudaGraphicsResource& image, cudaStream_t stream) {
  const auto found = gl_image(image.name, image.target);
  if (!found) return fail(Error::map_buffer_object_failed, {ReasonKind::graphics_image_unusable, image.name});
  unsigned flags = cudaArrayDefault;
  if (image.has(cudaGraphicsRegisterFlagsSurfaceLoadStore)) flags |= cudaArraySurfaceLoadStore;
  if (image.has(cudaGraphicsRegisterFlagsTextureGather)) flags |= cudaArrayTextureGather;
  const Error refused = make_array(&image.array, &found->format, cudaExtent{found->width, found->height, 0}, flags);
  if (refused != Error::success || image.has(kWriteDiscard)) return refused;
  std::vector<char> held(image.array->bytes());
  read_gl_image(image.name, image.target, held.data());
  return copy_bytes_to_array({image.array, 0, 0}, held.data(), held.size(), cudaMemcpyHostToDevice, now_in(stream));
}

Error unmap_image(const cudaGraphicsResource& image, cudaStream_t stream) {
  if (image.has(kReadOnly)) return Error::success;
  std::vector<char> held(image.array->bytes());
  const Error error =
      copy_bytes_from_array(held.data(), {image.array, 0, 0}, held.size(), cudaMemcpyDeviceToHost, now_in(stream));
  if (error != Error::success) return error;
  const auto found = gl_image(image.name, image.target);
  if (!found || found->width != image.array->extent.width || found->height != image.array->extent.height) {
    return fail(Error::unmap_buffer_object_failed, {ReasonKind::graphics_image_unusable, image.name});
  }
  write_gl_image(image.name, image.target, held.data());
  return Error::success;
}

}  // namespace

Error register_gl_buffer(cudaGraphicsResource_t* resource, unsigned buffer, unsigned flags) {
  const Error wrong = check_registration(resource, flags, kBufferFlags);
  if (wrong != Error::success) return wrong;
  if (!gl_buffer_bytes(buffer)) return fail(Error::invalid_value, {ReasonKind::graphics_buffer_unusable, buffer});
  add_resource(resource, {.name = buffer, .registered = flags, .device = process::current_device()});
  return Error::success;
}

Error register_gl_image(cudaGraphicsResource_t* resource, unsigned image, unsigned target, unsigned flags) {
  const Error wrong = check_registration(resource, flags, kImageFlags);
  if (wrong != Error::success) return wrong;
  if (!is_gl_image_target(target)) return fail(Error::invalid_value, ReasonKind::graphics_target_not_modelled);
  if (!gl_image(image, target)) return fail(Error::invalid_value, {ReasonKind::graphics_image_unusable, image});
  add_resource(resource, {.name = image, .target = target, .registered = flags, .device = process::current_device()});
  return Error::success;
}

Error unregister_graphics(cudaGraphicsResource_t resource) {
  GraphicsResources& all = graphics();
  std::unique_ptr<cudaGraphicsResource> ended;
  {
    const base::Lock lock(all.mutex);
    const auto found = std::ranges::find_if(all.live, [&](const auto& one) { return one.get() == resource; });
    if (found != all.live.end()) {
      ended = std::move(*found);
      all.live.erase(found);
    }
  }
  if (ended == nullptr) {
    return fail(Error::invalid_resource_handle, {ReasonKind::handle_unknown, "graphics resource"});
  }
  release_mapping(*ended);
  return Error::success;
}

Error set_map_flags(cudaGraphicsResource_t resource, unsigned flags) {
  const Error wrong = check_resource(resource, false);
  if (wrong != Error::success) return wrong;
  if ((flags & ~kBufferFlags) != 0) return fail(Error::invalid_value, {ReasonKind::flags_unknown, flags});
  resource->flags = flags;
  return Error::success;
}

Error map_graphics(int count, const cudaGraphicsResource_t* resources, cudaStream_t stream) {
  const Error wrong = check_resources(count, resources, false);
  if (wrong != Error::success) return wrong;
  if (!has_opengl()) return fail(Error::invalid_graphics_context, ReasonKind::graphics_context_missing);
  for (int i = 0; i < count; ++i) {
    cudaGraphicsResource& one = *resources[i];
    const Error error = one.target == 0 ? map_buffer(one, stream) : map_image(one, stream);
    if (error == Error::success) continue;
    for (int mapped = 0; mapped <= i; ++mapped) release_mapping(*resources[mapped]);
    return error;
  }
  return Error::success;
}

Error unmap_graphics(int count, const cudaGraphicsResource_t* resources, cudaStream_t stream) {
  const Error wrong = check_resources(count, resources, true);
  if (wrong != Error::success) return wrong;
  if (!has_opengl()) return fail(Error::invalid_graphics_context, ReasonKind::graphics_context_missing);
  Error first = Error::success;
  for (int i = 0; i < count; ++i) {
    cudaGraphicsResource& one = *resources[i];
    const Error error = one.target == 0 ? unmap_buffer(one, stream) : unmap_image(one, stream);
    release_mapping(one);
    if (first == Error::success) first = error;
  }
  return first;
}

Error mapped_pointer(void** pointer, std::size_t* bytes, cudaGraphicsResource_t resource) {
  if (pointer == nullptr) return fail(Error::invalid_value, ReasonKind::result_pointer_null);
  const Error wrong = check_resource(resource, true);
  if (wrong != Error::success) return wrong;
  if (resource->target != 0) return fail(Error::not_mapped_as_pointer, ReasonKind::graphics_is_image);
  *pointer = resource->memory;
  if (bytes != nullptr) *bytes = resource->bytes;
  return Error::success;
}

Error mapped_array(cudaArray_t* array, cudaGraphicsResource_t resource, unsigned index, unsigned level) {
  if (array == nullptr) return fail(Error::invalid_value, ReasonKind::result_pointer_null);
  const Error wrong = check_resource(resource, true);
  if (wrong != Error::success) return wrong;
  if (resource->target == 0) return fail(Error::not_mapped_as_array, ReasonKind::graphics_is_buffer);
  if (index != 0 || level != 0) return fail(Error::invalid_value, ReasonKind::graphics_level_not_mapped);
  *array = resource->array;
  return Error::success;
}

cudaGraphicsResource_t resource_of_gl_buffer(unsigned buffer) {
  GraphicsResources& all = graphics();
  const base::Lock lock(all.mutex);
  const auto found =
      std::ranges::find_if(all.live, [&](const auto& one) { return one->target == 0 && one->name == buffer; });
  return found != all.live.end() ? found->get() : nullptr;
}

Error gl_devices(unsigned* count, int* devices, unsigned most) {
  if (count == nullptr) return fail(Error::invalid_value, ReasonKind::result_pointer_null);
  if (!has_opengl()) return fail(Error::invalid_graphics_context, ReasonKind::graphics_context_missing);
  *count = 1;
  if (devices != nullptr && most != 0) *devices = process::current_device();
  return Error::success;
}

void forget_graphics(int device) {
  GraphicsResources& all = graphics();
  const base::Lock lock(all.mutex);
  std::erase_if(all.live, [device](const auto& one) { return one->device == device; });
}

}  // namespace warpfiber::device_memory
