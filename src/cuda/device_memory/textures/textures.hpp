// SPDX-License-Identifier: Apache-2.0
// Texture and surface objects: what a handle stands for, checked once when it is made. Called by abi and by sampling.
#pragma once

#include <warpfiber/cuda/api/types.h>
#include <warpfiber/error.hpp>

#include <cstddef>
#include <cstdint>

namespace warpfiber::device_memory {

/// Texels in rows, slices or layers. Sizes are in texels, distances in bytes.
struct Texels {
  const char* data = nullptr;
  std::size_t width = 0;
  std::size_t height = 1;
  std::size_t depth = 1;   // slices of a volume
  std::size_t layers = 1;  // of a layered array, or faces of cubes
  std::size_t pitch = 0;
  std::size_t slice = 0;
  cudaChannelFormatDesc format{};
  unsigned channels = 0;
  std::size_t element = 0;
  const char* object = nullptr;  // the allocation that they are in; null: an array
  std::size_t readable = 0;      // bytes from `data` that are its memory's; what lies behind reads as 0
};

struct Texture {
  cudaResourceDesc resource{};
  cudaTextureDesc description{};
  Texels texels;
  bool linear_memory = false;
};

struct Surface {
  cudaResourceDesc resource{};
};

Error make_texture(cudaTextureObject_t* handle, const cudaResourceDesc* resource, const cudaTextureDesc* description,
                   const cudaResourceViewDesc* view);
Error destroy_texture(cudaTextureObject_t handle);
Error texture_resource(cudaResourceDesc* resource, cudaTextureObject_t handle);
Error texture_description(cudaTextureDesc* description, cudaTextureObject_t handle);

Error make_surface(cudaSurfaceObject_t* handle, const cudaResourceDesc* resource);
Error destroy_surface(cudaSurfaceObject_t handle);
Error surface_resource(cudaResourceDesc* resource, cudaSurfaceObject_t handle);

/// What a kernel reads through; a handle of nothing is not looked up, so that a fetch costs no lock.
const Texture& texture_of(cudaTextureObject_t handle);
const Surface& surface_of(cudaSurfaceObject_t handle);

// Texels as four numbers, or four integers: reading them from memory, and how an integer becomes a number between 0 or
// -1 and 1.

/// A texel's channels as numbers (a missing one is 0) and as integers, where its format has integers.
struct Channels {
  float number[4] = {0, 0, 0, 0};
  std::uint32_t integer[4] = {0, 0, 0, 0};
};

/// The texel at `at`.
Channels read_texel(const Texture& texture, const char* at);

/// Whether fetches of the texture give numbers rather than integers.
bool reads_as_float(const Texture& texture);

/// The value of 16 bits of IEEE 754 binary16.
float half_value(std::uint16_t bits);

}  // namespace warpfiber::device_memory
