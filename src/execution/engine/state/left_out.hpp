// SPDX-License-Identifier: Apache-2.0
// How many accesses a launch has left out, and whether it may (engine/leaving_out). Belongs to one worker.
#pragma once

#include <cstdint>

namespace warpfiber::engine {

/// A launch ends at the next access that a device refuses, when it has left out so many.
inline constexpr std::uint64_t kMostLeftOut = 50'000;

struct LeftOut {
  bool is_allowed = false;  // else the launch ends at the first access that a device refuses
  std::uint64_t count = 0;
};

}  // namespace warpfiber::engine
