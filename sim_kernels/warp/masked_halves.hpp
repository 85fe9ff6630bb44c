// SPDX-License-Identifier: Apache-2.0
// Both halves of a diverged warp reduce at the same time, one to a sum and the other to a maximum: each names its own
// lanes in its masks, so neither waits for the other. Source: CUDA C++ Programming Guide, "Warp Shuffle Functions".
#pragma once

#include <warpfiber/warpfiber.hpp>

namespace gallery {

constexpr unsigned kHalfWarp = 16;

/// The sum of the first 16 lanes of a warp and the largest value of the others, the latter 0 where there are none.
struct HalfResults {
  int sum;
  int largest;
};

/// results[w] for warp w of the grid; a block has ceil(blockDim.x / 32) warps, one element a thread, none negative.
static __global__ void masked_halves(const int* in, unsigned count, HalfResults* results) {
  constexpr unsigned kFirstHalf = 0x0000ffffU;
  constexpr unsigned kSecondHalf = 0xffff0000U;
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned lane = threadIdx.x % (2 * kHalfWarp);
  const unsigned lanes_left = blockDim.x - (threadIdx.x - lane);
  const unsigned warps_of_block = (blockDim.x + 2 * kHalfWarp - 1) / (2 * kHalfWarp);
  HalfResults& result = results[blockIdx.x * warps_of_block + threadIdx.x / (2 * kHalfWarp)];
  int value = i < count ? in[i] : 0;
  if (lane < kHalfWarp) {
    for (unsigned distance = kHalfWarp / 2; distance > 0; distance /= 2) {
      const int other = __shfl_down_sync(kFirstHalf, value, distance, kHalfWarp);
      if (lane % kHalfWarp + distance < kHalfWarp && lane + distance < lanes_left) value += other;
    }
    if (lane == 0) result.sum = value;
    if (lane == 0 && lanes_left <= kHalfWarp) result.largest = 0;
  } else {
    for (unsigned distance = kHalfWarp / 2; distance > 0; distance /= 2) {
      const int other = __shfl_down_sync(kSecondHalf, value, distance, kHalfWarp);
      if (lane % kHalfWarp + distance < kHalfWarp && lane + distance < lanes_left) value = max(value, other);
    }
    if (lane == kHalfWarp) result.largest = value;
  }
}

}  // namespace gallery
