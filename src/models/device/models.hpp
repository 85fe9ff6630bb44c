// SPDX-License-Identifier: Apache-2.0
//
// The tables behind find_device: the built-in models come from warpfiber/device.hpp, their other names from here.
// Only this room asks.
#pragma once

#include <span>

#include <warpfiber/device.hpp>

namespace warpfiber::device {

/// Another name of a built-in model.
struct Alias {
  const char* alias;
  const char* name;
};

std::span<const Alias> aliases() noexcept;

}  // namespace warpfiber::device
