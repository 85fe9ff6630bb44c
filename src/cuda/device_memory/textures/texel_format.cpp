// SPDX-License-Identifier: Apache-2.0
// Sources: CUDA C++ Programming Guide, "Texture Memory" (normalised reads); IEC 61966-2-1 (sRGB).
#include "device_memory/textures/texel_format.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace warpfiber::device_memory {
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
