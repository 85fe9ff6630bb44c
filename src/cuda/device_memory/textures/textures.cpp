// SPDX-License-Identifier: Apache-2.0
// Source of limits and errors: CUDA Runtime API, "cudaCreateTextureObject", "cudaCreateSurfaceObject"; of what is not
// refused: an H200 (CUDA 13.0).
#include "device_memory/textures/textures.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <memory>

#include "base/locks/annotated_mutex.hpp"
#include "base/text.hpp"
#include "check/objects/reachable_memory.hpp"
#include "device_memory/arrays.hpp"
#include "device_memory/ordering.hpp"
#include "device_memory/state/device_memory_state.hpp"
#include "device_memory/table.hpp"
#include "process/current_device.hpp"
#include "process/devices/properties.hpp"
#include "process/explain.hpp"

namespace warpfiber::device_memory {

using record::ReasonKind;

/// The handles of one kind of object. A handle is the object's address, so that kernels need no table.
template <class Object>
class Handles {
 public:
  unsigned long long add(Object object) {
    auto kept = std::make_unique<Object>(std::move(object));
    const auto handle = reinterpret_cast<unsigned long long>(kept.get());
    const base::Lock lock(mutex_);
    live_.emplace(handle, std::move(kept));
    return handle;
  }

  bool remove(unsigned long long handle) {
    const base::Lock lock(mutex_);
    return live_.erase(handle) != 0;
  }

  const Object* find(unsigned long long handle) {
    const base::Lock lock(mutex_);
    const auto found = live_.find(handle);
    return found == live_.end() ? nullptr : found->second.get();
  }

 private:
  base::Mutex mutex_;
  std::map<unsigned long long, std::unique_ptr<Object>> live_ WARPFIBER_GUARDED_BY(mutex_);
};

namespace {

Handles<Texture>& textures() {
  return DeviceMemoryState::of_process().textures.get();
}

Handles<Surface>& surfaces() {
  return DeviceMemoryState::of_process().surfaces.get();
}

Error no_such_object(const char* what) {
  return process::fail(Error::invalid_value, {ReasonKind::handle_unknown, what});
}

unsigned channels_of(const cudaChannelFormatDesc& format) {
  unsigned channels = 0;
  for (const int bits : {format.x, format.y, format.z, format.w}) channels += bits != 0 ? 1 : 0;
  return channels;
}

Error texels_of_array(const cudaArray* array, Texels& texels) {
  if (!is_array(array)) return process::fail(Error::invalid_resource_handle, ReasonKind::resource_is_no_array);
  const bool layered = (array->flags & (cudaArrayLayered | cudaArrayCubemap)) != 0;
  texels.data = array->data;
  texels.width = array->extent.width;
  texels.height = array->rows();
  texels.depth = layered ? 1 : array->slices();
  texels.layers = layered ? array->slices() : 1;
  texels.pitch = array->pitch();
  texels.slice = array->pitch() * array->rows();
  texels.format = array->format;
  texels.readable = array->bytes();
  return Error::success;
}

/// Where the memory of the texels is, and how much of `bytes` can be read.
Error check_memory(const void* memory, std::size_t bytes, Texels& texels) {
  const auto block = block_at(memory);
  if (!block.has_value()) return process::fail(Error::invalid_value, ReasonKind::texture_memory_not_on_device);
  texels.object = block->base;
  texels.readable = block->bytes - static_cast<std::size_t>(static_cast<const char*>(memory) - block->base);
  if (bytes > texels.readable) {
    process::warn_verbose(
        {ReasonKind::texture_exceeds_memory, record::ByteSize{bytes}, record::ByteSize{texels.readable}});
  }
  return Error::success;
}

bool is_aligned(const void* memory, unsigned alignment) {
  return reinterpret_cast<std::uintptr_t>(memory) % alignment == 0;
}

Error check_limits(bool rows, const Texels& texels) {
  cudaDeviceProp device{};
  const Error wrong = process::device_properties(&device, process::current_device());
  if (wrong != Error::success) return wrong;
  const auto within = [](std::size_t size, int most) { return size <= static_cast<std::size_t>(most); };
  const auto& [width, height, pitch] = device.maxTexture2DLinear;
  const bool fits = rows ? within(texels.width, width) && within(texels.height, height) && within(texels.pitch, pitch)
                         : within(texels.width, device.maxTexture1DLinear);
  return fits ? Error::success
              : process::fail(Error::invalid_value,
                              {ReasonKind::texture_too_large, rows ? "maxTexture2DLinear" : "maxTexture1DLinear"});
}

Error texels_of_memory(const cudaResourceDesc& resource, Texels& texels) {
  const bool rows = resource.resType == cudaResourceTypePitch2D;
  const auto& row = resource.res.linear;
  const auto& plane = resource.res.pitch2D;
  texels.format = rows ? plane.desc : row.desc;
  texels.element = element_bytes(texels.format);
  if (texels.element == 0) {
    return process::fail(Error::invalid_channel_descriptor, ReasonKind::texel_format_invalid);
  }
  texels.data = static_cast<const char*>(rows ? plane.devPtr : row.devPtr);
  if (!is_aligned(texels.data, process::model_of(process::current_device()).texture_alignment)) {
    return process::fail(Error::invalid_value, ReasonKind::texture_misaligned);
  }
  texels.width = rows ? plane.width : row.sizeInBytes / texels.element;
  texels.height = rows ? plane.height : 1;
  texels.pitch = rows ? plane.pitchInBytes : row.sizeInBytes;
  if (texels.width == 0 || texels.height == 0) return process::fail(Error::invalid_value, ReasonKind::texture_empty);
  if (const Error wrong = check_limits(rows, texels); wrong != Error::success) return wrong;
  if (rows && (texels.pitch < texels.width * texels.element ||
               texels.pitch % process::model_of(process::current_device()).texture_pitch_alignment != 0)) {
    return process::fail(Error::invalid_value, ReasonKind::texture_pitch_invalid);
  }
  texels.slice = texels.pitch * texels.height;
  return check_memory(texels.data, (texels.height - 1) * texels.pitch + texels.width * texels.element, texels);
}

Error texels_of(const cudaResourceDesc& resource, Texels& texels) {
  Error error = Error::success;
  switch (resource.resType) {
    case cudaResourceTypeArray: error = texels_of_array(resource.res.array.array, texels); break;
    case cudaResourceTypeLinear:
    case cudaResourceTypePitch2D: error = texels_of_memory(resource, texels); break;
    default: return process::fail(Error::not_supported, ReasonKind::mipmaps_not_modelled);
  }
  texels.channels = channels_of(texels.format);
  texels.element = element_bytes(texels.format);
  return error;
}

/// What cannot be read as it is asked for.
Error check_reading(const cudaTextureDesc& description, const cudaChannelFormatDesc& format) {
  const bool number = format.f == cudaChannelFormatKindFloat;
  const bool normalised = description.readMode == cudaReadModeNormalizedFloat;
  if (normalised && !number && format.x == 32) {
    return process::fail(Error::invalid_norm_setting, ReasonKind::integers_not_normalized);
  }
  if (description.filterMode == cudaFilterModeLinear && !number && !normalised) {
    return process::fail(Error::invalid_filter_setting, ReasonKind::filter_needs_floats);
  }
  return Error::success;
}

/// Only normalised coordinates wrap and mirror; others are clamped instead.
void clamp_where_needed(cudaTextureDesc& description) {
  if (description.normalizedCoords != 0) return;
  for (cudaTextureAddressMode& mode : description.addressMode) {
    if (mode == cudaAddressModeWrap || mode == cudaAddressModeMirror) mode = cudaAddressModeClamp;
  }
}

template <class T>
Error answer(T* to, const T* from, const char* what) {
  if (to == nullptr) return process::fail(Error::invalid_value, ReasonKind::result_pointer_null);
  if (from == nullptr) return no_such_object(what);
  *to = *from;
  return Error::success;
}

}  // namespace

Error make_texture(cudaTextureObject_t* handle, const cudaResourceDesc* resource, const cudaTextureDesc* description,
                   const cudaResourceViewDesc* view) {
  if (resource == nullptr || description == nullptr)
    return process::fail(Error::invalid_value, ReasonKind::pointer_null);
  if (view != nullptr && view->format != cudaResViewFormatNone) {
    return process::fail(Error::not_supported, ReasonKind::views_not_modelled);
  }
  Texture texture{*resource, *description, {}, resource->resType == cudaResourceTypeLinear};
  Error error = texels_of(*resource, texture.texels);
  if (error == Error::success) error = check_reading(*description, texture.texels.format);
  if (error != Error::success) return error;
  if (handle == nullptr) return process::fail(Error::invalid_value, ReasonKind::result_pointer_null);
  clamp_where_needed(texture.description);
  *handle = textures().add(texture);
  if (texture.texels.object != nullptr) check::reach_by_handle(texture.texels.object);
  return Error::success;
}

// Kernels that were given the handle may have yet to run.
Error destroy_texture(cudaTextureObject_t handle) {
  if (handle == 0) return Error::success;
  const Error failed = wait_for_device();
  if (failed != Error::success) return failed;
  const Texture* const texture = textures().find(handle);
  if (texture == nullptr) return no_such_object("texture");
  if (texture->texels.object != nullptr) check::forget_handle(texture->texels.object);
  textures().remove(handle);
  return Error::success;
}

Error texture_resource(cudaResourceDesc* resource, cudaTextureObject_t handle) {
  const Texture* texture = textures().find(handle);
  return answer(resource, texture == nullptr ? nullptr : &texture->resource, "texture");
}

Error texture_description(cudaTextureDesc* description, cudaTextureObject_t handle) {
  const Texture* texture = textures().find(handle);
  return answer(description, texture == nullptr ? nullptr : &texture->description, "texture");
}

Error make_surface(cudaSurfaceObject_t* handle, const cudaResourceDesc* resource) {
  if (handle == nullptr || resource == nullptr) return process::fail(Error::invalid_value, ReasonKind::pointer_null);
  if (resource->resType != cudaResourceTypeArray || !is_array(resource->res.array.array)) {
    return process::fail(Error::invalid_value, ReasonKind::surface_needs_array);
  }
  if ((resource->res.array.array->flags & cudaArraySurfaceLoadStore) == 0) {
    process::warn_verbose(ReasonKind::array_without_surface_flag);
  }
  *handle = surfaces().add(Surface{*resource});
  return Error::success;
}

Error destroy_surface(cudaSurfaceObject_t handle) {
  if (handle == 0) return Error::success;
  const Error failed = wait_for_device();
  if (failed != Error::success) return failed;
  return surfaces().remove(handle) ? Error::success : no_such_object("surface");
}

Error surface_resource(cudaResourceDesc* resource, cudaSurfaceObject_t handle) {
  const Surface* surface = surfaces().find(handle);
  return answer(resource, surface == nullptr ? nullptr : &surface->resource, "surface");
}

const Texture& texture_of(cudaTextureObject_t handle) {
  return *reinterpret_cast<const Texture*>(handle);
}

const Surface& surface_of(cudaSurfaceObject_t handle) {
  return *reinterpret_cast<const Surface*>(handle);
}

// Sources: CUDA C++ Programming Guide, "Texture Memory" (normalised reads); IEC 61966-2-1 (sRGB).

namespace {

std::uint32_t bits_at(const char* at, unsigned bytes) {
  std::uint32_t bits = 0;
  // Each of them an instruction; of a length that is not known, a call.
  switch (bytes) {
    case 1: std::memcpy(&bits, at, 1); break;
    case 2: std::memcpy(&bits, at, 2); break;
    default: std::memcpy(&bits, at, sizeof bits); break;
  }
  return bits;
}

std::int32_t signed_value(std::uint32_t bits, int width) {
  const int unused = 32 - width;
  return static_cast<std::int32_t>(bits << unused) >> unused;
}

float number_of(std::uint32_t bits, int width) {
  return width == 16 ? half_value(static_cast<std::uint16_t>(bits)) : __builtin_bit_cast(float, bits);
}

float linear_of_srgb(float value) {
  return value <= 0.04045F ? value / 12.92F : std::pow((value + 0.055F) / 1.055F, 2.4F);
}

/// An integer's share of the largest one.
float normalised(const Texture& texture, std::uint32_t bits, unsigned channel) {
  const int width = texture.texels.format.x;
  if (texture.texels.format.f == cudaChannelFormatKindSigned) {
    const float largest = static_cast<float>((1U << (width - 1)) - 1);
    return std::max(-1.0F, static_cast<float>(signed_value(bits, width)) / largest);
  }
  const float value = static_cast<float>(bits) / static_cast<float>((1U << width) - 1);
  const bool coloured = texture.description.sRGB != 0 && width == 8 && channel < 3;
  return coloured ? linear_of_srgb(value) : value;
}

}  // namespace

float half_value(std::uint16_t bits) {
  const int exponent = (bits >> 10) & 31;
  const float fraction = static_cast<float>(bits & 1023);
  float size = 0;
  if (exponent == 31) {
    size = fraction == 0 ? INFINITY : NAN;
  } else if (exponent == 0) {
    size = std::ldexp(fraction, -24);
  } else {
    size = std::ldexp(fraction + 1024, exponent - 25);
  }
  return (bits & 0x8000) != 0 ? -size : size;
}

bool reads_as_float(const Texture& texture) {
  return texture.texels.format.f == cudaChannelFormatKindFloat ||
         texture.description.readMode == cudaReadModeNormalizedFloat;
}

Channels read_texel(const Texture& texture, const char* at) {
  Channels channels;
  const cudaChannelFormatDesc& format = texture.texels.format;
  const unsigned bytes = static_cast<unsigned>(format.x) / 8;
  if (format.f == cudaChannelFormatKindFloat && bytes == sizeof(float)) {
    for (unsigned i = 0; i < texture.texels.channels; ++i) {
      std::memcpy(&channels.number[i], at + i * sizeof(float), sizeof(float));
    }
    return channels;
  }
  for (unsigned i = 0; i < texture.texels.channels; ++i) {
    const std::uint32_t bits = bits_at(at + i * bytes, bytes);
    if (format.f == cudaChannelFormatKindFloat) {
      channels.number[i] = number_of(bits, format.x);
    } else if (reads_as_float(texture)) {
      channels.number[i] = normalised(texture, bits, i);
    } else {
      const bool is_signed = format.f == cudaChannelFormatKindSigned;
      channels.integer[i] = is_signed ? static_cast<std::uint32_t>(signed_value(bits, format.x)) : bits;
    }
  }
  return channels;
}

}  // namespace warpfiber::device_memory
