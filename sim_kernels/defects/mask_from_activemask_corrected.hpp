// expect: clean   SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// hw: ok
// why: the whole warp votes before the branch, so the mask names exactly the lanes that take it
#pragma once

#include <warpfiber/warpfiber.hpp>

namespace gallery {

/// One block of 32 threads; sums the first `count` elements.
static __global__ void mask_from_ballot(const int* in, unsigned count, int* sum) {
  const unsigned lane = threadIdx.x;
  const unsigned mask = __ballot_sync(0xffffffffU, lane < count);
  if (lane >= count) return;
  int value = in[lane];
  for (unsigned distance = 16; distance > 0; distance /= 2) {
    const int other = __shfl_down_sync(mask, value, distance);
    if (lane + distance < count) value += other;
  }
  if (lane == 0) *sum = value;
}

}  // namespace gallery
