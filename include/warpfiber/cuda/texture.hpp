// SPDX-License-Identifier: Apache-2.0
// Texture and surface functions for kernels: tex1Dfetch, tex1D, tex2D, tex3D, their layered, cube map and level forms,
// surf1Dread and its kin (CUDA C++ Programming Guide, "Texture and Surface Memory", "Texture Fetching"). Coordinates
// are in texels or, where the texture says so, normalised; x of a surface is in bytes. A level of detail means nothing
// to a texture without mipmaps. Included by cuda_runtime.h.
#pragma once

#include <warpfiber/cuda/api/texture_types.h>
#include <warpfiber/detail/vector_types.hpp>
#include <warpfiber/intrinsics/builtins.hpp>

#include <cstdint>
#include <type_traits>

namespace warpfiber::cuda::detail {

/// What a fetch returns: four channels, integers as they are and numbers by their bits.
struct Texel {
  std::uint32_t channel[4];
};

/// Where a texture is sampled: as many coordinates as it has dimensions, and the layer of a layered one.
struct TexturePlace {
  float x = 0;
  float y = 0;
  float z = 0;
  int dimensions = 1;
  int layer = 0;
  bool layered = false;
  bool cube = false;
};

Texel fetch_texel(cudaTextureObject_t texture, int index);
Texel sample_texture(cudaTextureObject_t texture, const TexturePlace& place);

/// Four texels around a place, channel `component` of each, as tex2Dgather orders them.
Texel gather_texels(cudaTextureObject_t texture, float x, float y, int component);

/// Where a surface is read or written; x in bytes.
struct SurfacePlace {
  int x = 0;
  int y = 0;
  int z = 0;
};

struct SurfaceAccess {
  SurfacePlace place{};
  unsigned bytes = 0;
  bool writes = false;
};

/// The bytes of the surface that the access is to; null where it is outside, after what the mode asks for in that case.
char* surface_at(cudaSurfaceObject_t surface, const SurfaceAccess& access, cudaSurfaceBoundaryMode mode, Site site);

template <class Channel>
constexpr Channel channel_as(std::uint32_t bits) {
  if constexpr (std::is_floating_point_v<Channel>) {
    return static_cast<Channel>(__builtin_bit_cast(float, bits));
  } else {
    return static_cast<Channel>(bits);
  }
}

/// A number, or a built-in vector of as many channels as it has room for.
template <class T>
T texel_as(const Texel& texel) {
  if constexpr (std::is_arithmetic_v<T>) {
    return channel_as<T>(texel.channel[0]);
  } else {
    T value{};
    using Channel = std::remove_reference_t<decltype(value.x)>;
    value.x = channel_as<Channel>(texel.channel[0]);
    if constexpr (requires { value.y; }) value.y = channel_as<Channel>(texel.channel[1]);
    if constexpr (requires { value.z; }) value.z = channel_as<Channel>(texel.channel[2]);
    if constexpr (requires { value.w; }) value.w = channel_as<Channel>(texel.channel[3]);
    return value;
  }
}

template <class T>
T read_surface(cudaSurfaceObject_t surface, SurfacePlace place, cudaSurfaceBoundaryMode mode, Site site) {
  T value{};
  if (const char* at = surface_at(surface, {place, sizeof(T), false}, mode, site))
    __builtin_memcpy(&value, at, sizeof value);
  return value;
}

template <class T>
void write_surface(const T& value, cudaSurfaceObject_t surface, SurfacePlace place, cudaSurfaceBoundaryMode mode,
                   Site site) {
  if (char* at = surface_at(surface, {place, sizeof(T), true}, mode, site)) __builtin_memcpy(at, &value, sizeof value);
}

}  // namespace warpfiber::cuda::detail

template <class T>
inline T tex1Dfetch(cudaTextureObject_t texture, int x) {
  return warpfiber::cuda::detail::texel_as<T>(warpfiber::cuda::detail::fetch_texel(texture, x));
}
template <class T>
inline void tex1Dfetch(T* value, cudaTextureObject_t texture, int x) {
  *value = tex1Dfetch<T>(texture, x);
}

template <class T>
inline T tex2Dgather(cudaTextureObject_t texture, float x, float y, int component = 0) {
  return warpfiber::cuda::detail::texel_as<T>(warpfiber::cuda::detail::gather_texels(texture, x, y, component));
}
template <class T>
inline void tex2Dgather(T* value, cudaTextureObject_t texture, float x, float y, int component = 0) {
  *value = tex2Dgather<T>(texture, x, y, component);
}

// A sampling function: the value returned or put where a pointer says, and the forms with a level of detail or with
// gradients, which choose a level.
#define WARPFIBER_PARAMETERS(...) __VA_ARGS__
#define WARPFIBER_SAMPLE(name, parameters, arguments, gradients, ...)                                                 \
  template <class T>                                                                                                  \
  inline T name(cudaTextureObject_t texture, WARPFIBER_PARAMETERS parameters) {                                       \
    using namespace warpfiber::cuda::detail;                                                                          \
    return texel_as<T>(sample_texture(texture, TexturePlace{__VA_ARGS__}));                                           \
  }                                                                                                                   \
  template <class T>                                                                                                  \
  inline void name(T* value, cudaTextureObject_t texture, WARPFIBER_PARAMETERS parameters) {                          \
    *value = name<T>(texture, WARPFIBER_PARAMETERS arguments);                                                        \
  }                                                                                                                   \
  template <class T>                                                                                                  \
  inline T name##Lod(cudaTextureObject_t texture, WARPFIBER_PARAMETERS parameters, float) {                           \
    return name<T>(texture, WARPFIBER_PARAMETERS arguments);                                                          \
  }                                                                                                                   \
  template <class T>                                                                                                  \
  inline T name##Grad(cudaTextureObject_t texture, WARPFIBER_PARAMETERS parameters, WARPFIBER_PARAMETERS gradients) { \
    return name<T>(texture, WARPFIBER_PARAMETERS arguments);                                                          \
  }

WARPFIBER_SAMPLE(tex1D, (float x), (x), (float, float), .x = x, .dimensions = 1)
WARPFIBER_SAMPLE(tex2D, (float x, float y), (x, y), (float2, float2), .x = x, .y = y, .dimensions = 2)
WARPFIBER_SAMPLE(tex3D, (float x, float y, float z), (x, y, z), (float4, float4), .x = x, .y = y, .z = z,
                 .dimensions = 3)
WARPFIBER_SAMPLE(tex1DLayered, (float x, int layer), (x, layer), (float, float), .x = x, .dimensions = 1,
                 .layer = layer, .layered = true)
WARPFIBER_SAMPLE(tex2DLayered, (float x, float y, int layer), (x, y, layer), (float2, float2), .x = x, .y = y,
                 .dimensions = 2, .layer = layer, .layered = true)
WARPFIBER_SAMPLE(texCubemap, (float x, float y, float z), (x, y, z), (float4, float4), .x = x, .y = y, .z = z,
                 .dimensions = 2, .cube = true)
WARPFIBER_SAMPLE(texCubemapLayered, (float x, float y, float z, int layer), (x, y, z, layer), (float4, float4), .x = x,
                 .y = y, .z = z, .dimensions = 2, .layer = layer, .layered = true, .cube = true)

#undef WARPFIBER_SAMPLE

// A surface: read in two forms, and written.
#define WARPFIBER_SURFACE(read, write, parameters, ...)                                                                \
  template <class T>                                                                                                   \
  inline T read(cudaSurfaceObject_t surface, WARPFIBER_PARAMETERS parameters,                                          \
                cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap, warpfiber::Site site = warpfiber::Site::here()) { \
    return warpfiber::cuda::detail::read_surface<T>(surface, {__VA_ARGS__}, mode, site);                               \
  }                                                                                                                    \
  template <class T>                                                                                                   \
  inline void read(T* value, cudaSurfaceObject_t surface, WARPFIBER_PARAMETERS parameters,                             \
                   cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap,                                                \
                   warpfiber::Site site = warpfiber::Site::here()) {                                                   \
    *value = warpfiber::cuda::detail::read_surface<T>(surface, {__VA_ARGS__}, mode, site);                             \
  }                                                                                                                    \
  template <class T>                                                                                                   \
  inline void write(T value, cudaSurfaceObject_t surface, WARPFIBER_PARAMETERS parameters,                             \
                    cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap,                                               \
                    warpfiber::Site site = warpfiber::Site::here()) {                                                  \
    warpfiber::cuda::detail::write_surface(value, surface, {__VA_ARGS__}, mode, site);                                 \
  }

WARPFIBER_SURFACE(surf1Dread, surf1Dwrite, (int x), x, 0, 0)
WARPFIBER_SURFACE(surf2Dread, surf2Dwrite, (int x, int y), x, y, 0)
WARPFIBER_SURFACE(surf3Dread, surf3Dwrite, (int x, int y, int z), x, y, z)
WARPFIBER_SURFACE(surf1DLayeredread, surf1DLayeredwrite, (int x, int layer), x, 0, layer)
WARPFIBER_SURFACE(surf2DLayeredread, surf2DLayeredwrite, (int x, int y, int layer), x, y, layer)
WARPFIBER_SURFACE(surfCubemapread, surfCubemapwrite, (int x, int y, int face), x, y, face)
WARPFIBER_SURFACE(surfCubemapLayeredread, surfCubemapLayeredwrite, (int x, int y, int face), x, y, face)

#undef WARPFIBER_SURFACE
#undef WARPFIBER_PARAMETERS
