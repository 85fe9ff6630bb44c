// SPDX-License-Identifier: Apache-2.0
// Texels as four numbers, or four integers: reading them from memory, and how an integer becomes a number between 0 or
// -1 and 1. Called by sampling.
#pragma once

#include "device_memory/textures/textures.hpp"

namespace warpfiber::device_memory {

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
