// SPDX-License-Identifier: Apache-2.0
// What the warp collectives return where the device promises nothing.
#pragma once

#include <bit>
#include <cstdint>

namespace warpfiber::machine {

/// What a shuffle returns from a lane that takes no part (docs/semantics.md, "Shuffles").
inline constexpr std::uint64_t kAbsentLaneValue = 0;

/// What these lanes have offered is gone.
inline void withdraw(std::uint64_t* offered, std::uint64_t lanes) {
  for (; lanes != 0; lanes &= lanes - 1) offered[std::countr_zero(lanes)] = kAbsentLaneValue;
}

}  // namespace warpfiber::machine
