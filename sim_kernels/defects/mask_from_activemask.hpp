// expect: bad-mask   SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// hw: silent
// why: __activemask() tells who happens to run together, not who takes the branch; a lane it leaves out is still read
// Source: Y. Lin and V. Grover, "Using CUDA Warp-Level Primitives", where this is the incorrect use of __activemask().
#pragma once

#include <warpfiber/warpfiber.hpp>

namespace gallery {

/// One block of 32 threads; sums the first `count` elements.
static __global__ void mask_from_activemask(const int* in, unsigned count, int* sum) {
  const unsigned lane = threadIdx.x;
  if (lane >= count) return;
  const unsigned mask = __activemask();
  int value = in[lane];
  for (unsigned distance = 16; distance > 0; distance /= 2) {
    const int other = __shfl_down_sync(mask, value, distance);  // @A
    if (lane + distance < count) value += other;
  }
  if (lane == 0) *sum = value;
}

}  // namespace gallery
