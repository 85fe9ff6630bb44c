// SPDX-License-Identifier: Apache-2.0
//
// Sets of lanes of one warp as 64-bit masks, bit i for lane i, for warps of 1 to 64 lanes. Pure functions; any room may
// call them. A lane is below 64 and a warp size from 1 to 64: callers have checked that when the launch was accepted.
#pragma once

#include <bit>
#include <cstdint>

namespace warpfiber::base {

using LaneMask = std::uint64_t;

namespace lane_mask {

constexpr LaneMask only(unsigned lane) {
  return LaneMask{1} << lane;
}

/// The lanes before `lane`: what __lanemask_lt() yields.
constexpr LaneMask below(unsigned lane) {
  return only(lane) - 1;
}

/// All lanes of a warp of `size` lanes.
constexpr LaneMask full(unsigned size) {
  return ~LaneMask{0} >> (64 - size);
}

constexpr bool has(LaneMask mask, unsigned lane) {
  return (mask >> lane & 1) != 0;
}

constexpr unsigned count(LaneMask mask) {
  return static_cast<unsigned>(std::popcount(mask));
}

/// The lowest lane of a mask that is not empty.
constexpr unsigned lowest(LaneMask mask) {
  return static_cast<unsigned>(std::countr_zero(mask));
}

/// How many lanes of `mask` come before `lane`.
constexpr unsigned rank(LaneMask mask, unsigned lane) {
  return count(mask & below(lane));
}

/// Calls `visit(lane)` for every lane of `mask`, lowest first.
template <class Visit>
constexpr void for_each(LaneMask mask, Visit&& visit) {
  for (; mask != 0; mask &= mask - 1) visit(lowest(mask));
}

}  // namespace lane_mask
}  // namespace warpfiber::base
