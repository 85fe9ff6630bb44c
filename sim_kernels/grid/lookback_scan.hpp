// SPDX-License-Identifier: Apache-2.0
// Inclusive prefix sums in a single pass: a block scans its tile, tells its sum at once, and looks back over the tiles
// before it, a warp of them at a time, until one knows the sum of everything up to itself. Tiles are numbered in the
// order in which blocks start, so a tile waits only for blocks that run already and any grid finishes.
// Source: D. Merrill and M. Garland, "Single-pass Parallel Prefix Scan with Decoupled Look-back" (NVR-2016-002).
#pragma once

#include "strong_load.hpp"

namespace gallery {

/// What is known of a tile, in one word that is written and read as a whole: the status above a sum of 32 bits.
using TileState = unsigned long long;
constexpr TileState kTileUnknown = 0;
constexpr TileState kTileOwnSum = 1ULL << 32;    // of the tile's elements
constexpr TileState kTileWholeSum = 2ULL << 32;  // of all elements up to the tile's last
constexpr unsigned kScanWarp = 32;
constexpr unsigned kEveryLane = 0xffffffffU;

__device__ inline TileState wait_for_tile(const TileState* tile) {
  TileState state = strong_load(tile);
  while (state == kTileUnknown) {
    __nanosleep(20);
    state = strong_load(tile);
  }
  return state;
}

/// The sum of all elements before `tile`. Called by the whole first warp of a block.
__device__ inline unsigned sum_before(const TileState* tiles, unsigned tile) {
  const unsigned lanes = blockDim.x < kScanWarp ? blockDim.x : kScanWarp;
  const unsigned mask = kEveryLane >> (kScanWarp - lanes);
  const unsigned lane = threadIdx.x;
  unsigned sum = 0;
  for (long long nearest = static_cast<long long>(tile) - 1;; nearest -= lanes) {
    const long long mine = nearest - lane;
    const TileState state = mine < 0 ? kTileWholeSum : wait_for_tile(&tiles[mine]);
    const unsigned whole = __ballot_sync(mask, state >= kTileWholeSum);
    const unsigned wanted = whole == 0 ? lanes : static_cast<unsigned>(__ffs(static_cast<int>(whole)));
    sum += __reduce_add_sync(mask, lane < wanted ? static_cast<unsigned>(state) : 0U);
    if (whole != 0) return sum;
  }
}

/// The sum of `value` over the caller and the lanes below it.
__device__ inline unsigned warp_scan(unsigned value, unsigned lane) {
  for (unsigned distance = 1; distance < kScanWarp; distance *= 2) {
    const unsigned below = __shfl_up_sync(kEveryLane, value, distance);
    if (lane >= distance) value += below;
  }
  return value;
}

/// The sum of `value` over the caller and the threads of the block below it. `totals` has a place for each warp and
/// holds the sums up to each warp's last thread afterwards.
__device__ inline unsigned block_scan(unsigned value, unsigned* totals) {
  const unsigned lane = threadIdx.x % kScanWarp;
  const unsigned warp = threadIdx.x / kScanWarp;
  const unsigned warps = (blockDim.x + kScanWarp - 1) / kScanWarp;
  const unsigned sum = warp_scan(value, lane);
  if (lane == kScanWarp - 1 || threadIdx.x == blockDim.x - 1) totals[warp] = sum;
  __syncthreads();
  if (warp == 0) {
    const unsigned scanned = warp_scan(lane < warps ? totals[lane] : 0, lane);
    if (lane < warps) totals[lane] = scanned;
  }
  __syncthreads();
  return warp == 0 ? sum : sum + totals[warp - 1];
}

/// One element a thread; `tiles` has a state for each block, all unknown, and *next_tile begins as 0.
static __global__ void lookback_scan(const unsigned* in, unsigned* sums, unsigned count, TileState* tiles,
                                     unsigned* next_tile) {
  WARPFIBER_SHARED(unsigned, my_tile);
  WARPFIBER_SHARED(unsigned, before);
  WARPFIBER_SHARED(unsigned[kScanWarp], totals);
  if (threadIdx.x == 0) my_tile = atomicAdd(next_tile, 1U);
  __syncthreads();
  const unsigned tile = my_tile;
  const unsigned i = tile * blockDim.x + threadIdx.x;
  const unsigned sum = block_scan(i < count ? in[i] : 0, &totals[0]);
  if (threadIdx.x < kScanWarp) {
    const unsigned own = totals[(blockDim.x - 1) / kScanWarp];
    if (threadIdx.x == 0 && tile != 0) atomicExch(&tiles[tile], kTileOwnSum | own);
    const unsigned sum_of_others = sum_before(tiles, tile);
    if (threadIdx.x == 0) {
      atomicExch(&tiles[tile], kTileWholeSum | (sum_of_others + own));
      before = sum_of_others;
    }
  }
  __syncthreads();
  if (i < count) sums[i] = before + sum;
}

}  // namespace gallery
