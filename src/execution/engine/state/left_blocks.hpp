// SPDX-License-Identifier: Apache-2.0
// For which launches it is kept where blocks have returned that are over (WorkerState::left). Others may wait for them
// for ever.
#pragma once

#include "engine/state/grid.hpp"

namespace warpfiber::engine {

/// Blocks of a cooperative launch are resident all at once, and few.
inline bool keeps_left_blocks(const Grid& grid) {
  constexpr std::uint64_t kMostBlocks = 1024;
  return grid.request.cooperative || grid.blocks <= kMostBlocks;
}

}  // namespace warpfiber::engine
