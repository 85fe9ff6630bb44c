// expect: clean   SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// hw: ok
// why: all lanes that the mask names make the shuffle; only what is done with the result depends on the lane
#pragma once

#include <warpfiber/warpfiber.hpp>

namespace gallery {

/// One block of 32 threads; folds[i] = in[i] + in[i + 16] for the first 16.
static __global__ void shuffle_before_branch(const int* in, int* folds) {
  WARPFIBER_SHARED(int[32], cells);
  const unsigned lane = threadIdx.x;
  int value = in[lane];
  const int other = __shfl_down_sync(0xffffffffU, value, 16);
  if (lane < 16) value += other;
  cells[lane] = value;
  __syncthreads();
  if (lane < 16) folds[lane] = cells[lane];
}

}  // namespace gallery
