// expect: barrier-divergence   SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// also-ok: deadlock
// hw: may-hang
// why: threads leave a loop with a barrier in it after unequal numbers of rounds and meet the others at another one
#pragma once

#include <warpfiber/warpfiber.hpp>

namespace gallery {

/// One block of 64 threads. mirrored[t] = sum of what the mirrored thread has read, over rows of 64 elements.
static __global__ void unequal_trip_counts(const int* in, unsigned count, int* mirrored) {
  WARPFIBER_SHARED(int[64], cells);
  const unsigned place = threadIdx.x;
  int sum = 0;
  for (unsigned i = place; i < count; i += blockDim.x) {
    sum += in[i];
    __syncthreads();  // @A
  }
  cells[place] = sum;
  __syncthreads();  // @B
  mirrored[place] = cells[blockDim.x - 1 - place];
}

}  // namespace gallery
