// expect: clean   SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// hw: ok
// why: all threads go round equally often; the condition is on the work, not on the barrier
#pragma once

#include <warpfiber/warpfiber.hpp>

namespace gallery {

/// One block of 64 threads. mirrored[t] = sum of what the mirrored thread has read, over rows of 64 elements.
static __global__ void equal_trip_counts(const int* in, unsigned count, int* mirrored) {
  WARPFIBER_SHARED(int[64], cells);
  const unsigned place = threadIdx.x;
  int sum = 0;
  for (unsigned row = 0; row < count; row += blockDim.x) {
    if (row + place < count) sum += in[row + place];
    __syncthreads();
  }
  cells[place] = sum;
  __syncthreads();
  mirrored[place] = cells[blockDim.x - 1 - place];
}

}  // namespace gallery
