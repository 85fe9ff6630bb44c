// expect: clean   SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// hw: ok
// why: all lanes have read before any lane writes, and all have written before any reads again
#pragma once

#include <warpfiber/warpfiber.hpp>

namespace gallery {

/// One block of 32 threads.
static __global__ void sum_with_both_syncwarps(const int* in, int* sum) {
  WARPFIBER_SHARED(int[64], cells);
  const unsigned lane = threadIdx.x;
  cells[lane] = in[lane];
  cells[lane + 32] = 0;
  __syncwarp();
  for (unsigned distance = 16; distance > 0; distance /= 2) {
    const int other = cells[lane + distance];
    __syncwarp();
    cells[lane] += other;
    __syncwarp();
  }
  if (lane == 0) *sum = cells[0];
}

}  // namespace gallery
