// SPDX-License-Identifier: Apache-2.0
// What the warp collectives return where the device promises nothing.
#pragma once

#include <cstdint>

namespace warpfiber::machine {

/// What a shuffle returns from a lane that takes no part (docs/semantics.md, "Shuffles").
inline constexpr std::uint64_t kAbsentLaneValue = 0;

}  // namespace warpfiber::machine
