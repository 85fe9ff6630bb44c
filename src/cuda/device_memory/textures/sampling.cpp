// SPDX-License-Identifier: Apache-2.0
// What kernels fetch: addressing outside the texture, and filtering with weights of 8 fractional bits, as the hardware
// has them (CUDA C++ Programming Guide, "Texture Fetching"). Called by threads of kernels through
// warpfiber/cuda/texture.hpp; touches nothing but the texture, and reports to the checker what it reads of it.
#include <warpfiber/cuda/texture.hpp>
#include <warpfiber/detail/current_thread.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

#include "check/launch/launch_checker.hpp"
#include "device_memory/textures/textures.hpp"

namespace warpfiber::cuda::detail {
namespace {

using device_memory::Channels;
using device_memory::Texels;
using device_memory::Texture;

constexpr float kWeightUnits = 256;
constexpr long kOutside = -1;

/// The texels along one axis that take part, and the weight of the second.
struct Axis {
  long first = 0;
  long second = 0;
  float weight = 0;
};

long wrapped(long index, long size) {
  const long rest = index % size;
  return rest < 0 ? rest + size : rest;
}

/// The texel that stands for `index`; kOutside where that is the border.
long addressed(long index, long size, cudaTextureAddressMode mode) {
  if (index >= 0 && index < size) return index;
  switch (mode) {
    case cudaAddressModeWrap: return wrapped(index, size);
    case cudaAddressModeMirror: {
      const long twice = wrapped(index, 2 * size);
      return twice < size ? twice : 2 * size - 1 - twice;
    }
    case cudaAddressModeBorder: return kOutside;
    case cudaAddressModeClamp: break;
  }
  return std::clamp(index, 0L, size - 1);
}

/// The whole number at or below x, within what an index can be.
long whole(float x) {
  constexpr float kMost = 0x1p40F;
  if (!(x == x)) return 0;
  // Not std::floor, which is a call where the compiler may not take the instruction for granted.
  const float within = std::clamp(x, -kMost, kMost);
  const long towards_zero = static_cast<long>(within);
  return static_cast<float>(towards_zero) > within ? towards_zero - 1 : towards_zero;
}

Axis axis_at(const Texture& texture, int axis, float coordinate, std::size_t size) {
  const cudaTextureAddressMode mode = texture.description.addressMode[axis];
  const long texels = static_cast<long>(size);
  float x = coordinate;
  if (texture.description.normalizedCoords != 0) x *= static_cast<float>(size);
  Axis at;
  if (texture.description.filterMode == cudaFilterModePoint) {
    at.first = at.second = addressed(whole(x), texels, mode);
    return at;
  }
  const float before = x - 0.5F;
  const long index = whole(before);
  const float rest = before - static_cast<float>(index);
  // To the nearest unit, from the middle up; in double the sum is exact.
  const double units = std::clamp(rest, 0.0F, 1.0F) * kWeightUnits;
  at.weight = static_cast<float>(static_cast<int>(units + 0.5)) / kWeightUnits;
  at.first = addressed(index, texels, mode);
  at.second = addressed(index + 1, texels, mode);
  return at;
}

Channels border(const Texture& texture) {
  Channels channels;
  for (int i = 0; i < 4; ++i) {
    channels.number[i] = texture.description.borderColor[i];
    channels.integer[i] = __builtin_bit_cast(std::uint32_t, texture.description.borderColor[i]);
  }
  return channels;
}

struct Index {
  long x = 0;
  long y = 0;
  long z = 0;
};

/// A call of a kernel's.
struct Fetch {
  const Texture& texture;
  const void* returns_to;
};

/// A checked kernel reads a texel, past what it has written itself.
void report_fetch(const Fetch& fetch, const char* texel) {
  check::LaunchChecker* const checker = check::active_checker;
  if (checker == nullptr || !check::shadow.covers(texel)) return;
  const bool was_busy = std::exchange(warpfiber::detail::current_thread.busy, true);
  const std::size_t bytes = fetch.texture.texels.element;
  checker->calls().read_only_load(texel, bytes, fetch.returns_to);
  checker->access(texel, bytes, check::Use{.read = true}, fetch.returns_to);
  warpfiber::detail::current_thread.busy = was_busy;
}

Channels texel_at(const Fetch& fetch, const Index& at) {
  const Texture& texture = fetch.texture;
  if (at.x == kOutside || at.y == kOutside || at.z == kOutside) return border(texture);
  const Texels& texels = texture.texels;
  const std::size_t offset = static_cast<std::size_t>(at.z) * texels.slice +
                             static_cast<std::size_t>(at.y) * texels.pitch +
                             static_cast<std::size_t>(at.x) * texels.element;
  if (offset >= texels.readable || texels.readable - offset < texels.element) return {};
  report_fetch(fetch, texels.data + offset);
  return read_texel(texture, texels.data + offset);
}

Channels mix(const Channels& a, const Channels& b, float weight) {
  Channels mixed;
  for (int i = 0; i < 4; ++i) mixed.number[i] = (1 - weight) * a.number[i] + weight * b.number[i];
  return mixed;
}

Channels along_x(const Fetch& fetch, const Axis& x, long y, long z) {
  const Channels first = texel_at(fetch, {x.first, y, z});
  return x.weight == 0 ? first : mix(first, texel_at(fetch, {x.second, y, z}), x.weight);
}

Channels along_y(const Fetch& fetch, const Axis& x, const Axis& y, long z) {
  const Channels first = along_x(fetch, x, y.first, z);
  return y.weight == 0 ? first : mix(first, along_x(fetch, x, y.second, z), y.weight);
}

Texel result_of(const Texture& texture, const Channels& channels) {
  Texel texel;
  const bool numbers = reads_as_float(texture);
  for (int i = 0; i < 4; ++i) {
    texel.channel[i] = numbers ? __builtin_bit_cast(std::uint32_t, channels.number[i]) : channels.integer[i];
  }
  return texel;
}

/// A direction as a face of a cube, 0 to 5 for +x, -x, +y, -y, +z, -z, and a place on it from 0 to 1.
struct FacePlace {
  int face;
  float x;
  float y;
};

FacePlace face_of(float x, float y, float z) {
  const float ax = std::fabs(x);
  const float ay = std::fabs(y);
  const float az = std::fabs(z);
  FacePlace at{};
  float major = az;
  if (ax >= ay && ax >= az) {
    major = ax;
    at = x >= 0 ? FacePlace{0, -z, -y} : FacePlace{1, z, -y};
  } else if (ay >= az) {
    major = ay;
    at = y >= 0 ? FacePlace{2, x, z} : FacePlace{3, x, -z};
  } else {
    at = z >= 0 ? FacePlace{4, x, -y} : FacePlace{5, -x, -y};
  }
  at.x = (at.x / major + 1) / 2;
  at.y = (at.y / major + 1) / 2;
  return at;
}

long layer_at(const Texture& texture, long layer) {
  return std::clamp(layer, 0L, static_cast<long>(texture.texels.layers) - 1);
}

Texel sample_cube(const Fetch& fetch, const TexturePlace& place) {
  constexpr int kFaces = 6;
  const FacePlace at = face_of(place.x, place.y, place.z);
  Texture face = fetch.texture;
  face.description.normalizedCoords = 1;
  for (cudaTextureAddressMode& mode : face.description.addressMode) mode = cudaAddressModeClamp;
  const Axis x = axis_at(face, 0, at.x, face.texels.width);
  const Axis y = axis_at(face, 1, at.y, face.texels.height);
  return result_of(face, along_y({face, fetch.returns_to}, x, y, layer_at(face, place.layer * kFaces + at.face)));
}

}  // namespace

Texel fetch_texel(cudaTextureObject_t handle, int index) {
  const Texture& texture = device_memory::texture_of(handle);
  if (index < 0 || static_cast<std::size_t>(index) >= texture.texels.width) return {};
  return result_of(texture, texel_at({texture, __builtin_return_address(0)}, {index, 0, 0}));
}

Texel sample_texture(cudaTextureObject_t handle, const TexturePlace& place) {
  const Texture& texture = device_memory::texture_of(handle);
  const Fetch fetch{texture, __builtin_return_address(0)};
  if (place.cube) return sample_cube(fetch, place);
  const Texels& texels = texture.texels;
  const Axis x = axis_at(texture, 0, place.x, texels.width);
  const Axis y = place.dimensions > 1 ? axis_at(texture, 1, place.y, texels.height) : Axis{};
  if (place.dimensions < 3) {
    return result_of(texture, along_y(fetch, x, y, place.layered ? layer_at(texture, place.layer) : 0));
  }
  const Axis z = axis_at(texture, 2, place.z, texels.depth);
  const Channels first = along_y(fetch, x, y, z.first);
  if (z.weight == 0) return result_of(texture, first);
  return result_of(texture, mix(first, along_y(fetch, x, y, z.second), z.weight));
}

Texel gather_texels(cudaTextureObject_t handle, float across, float down, int component) {
  const Texture& texture = device_memory::texture_of(handle);
  const Fetch fetch{texture, __builtin_return_address(0)};
  Texture filtered = texture;
  filtered.description.filterMode = cudaFilterModeLinear;
  const Axis x = axis_at(filtered, 0, across, texture.texels.width);
  const Axis y = axis_at(filtered, 1, down, texture.texels.height);
  const Index around[] = {
      {x.first, y.second, 0}, {x.second, y.second, 0}, {x.second, y.first, 0}, {x.first, y.first, 0}};
  Texel texel;
  for (int i = 0; i < 4; ++i) texel.channel[i] = result_of(texture, texel_at(fetch, around[i])).channel[component & 3];
  return texel;
}

}  // namespace warpfiber::cuda::detail
