// expect: deadlock   SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// also-ok: bad-mask
// hw: hang
// why: half a warp waits in a shuffle that names all of it, the other half at a block barrier that waits for the first
#pragma once

#include <warpfiber/warpfiber.hpp>

namespace gallery {

/// One block of 32 threads; folds[i] = in[i] + in[i + 16] for the first 16.
static __global__ void shuffle_against_barrier(const int* in, int* folds) {
  WARPFIBER_SHARED(int[32], cells);
  const unsigned lane = threadIdx.x;
  int value = in[lane];
  if (lane < 16) value += __shfl_down_sync(0xffffffffU, value, 16);  // @A
  cells[lane] = value;
  __syncthreads();  // @B
  if (lane < 16) folds[lane] = cells[lane];
}

}  // namespace gallery
