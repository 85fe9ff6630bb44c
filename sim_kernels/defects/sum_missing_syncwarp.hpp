// expect: race-shared   SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// hw: silent
// why: one __syncwarp() a step: a lane may read its partner's cell before or after that lane has added to it
// Source: Y. Lin and V. Grover, "Using CUDA Warp-Level Primitives", where this is the incorrect use of __syncwarp().
#pragma once

#include <warpfiber/warpfiber.hpp>

namespace gallery {

/// One block of 32 threads.
static __global__ void sum_missing_syncwarp(const int* in, int* sum) {
  WARPFIBER_SHARED(int[64], cells);
  const unsigned lane = threadIdx.x;
  cells[lane] = in[lane];
  cells[lane + 32] = 0;
  __syncwarp();
  for (unsigned distance = 16; distance > 0; distance /= 2) {
    cells[lane] += cells[lane + distance];  // @A @B
    __syncwarp();
  }
  if (lane == 0) *sum = cells[0];
}

}  // namespace gallery
