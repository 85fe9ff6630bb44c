// expect: bad-mask   SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// hw: silent
// why: lanes that have met at __syncwarp() part again at once, so the odd ones read lane 0 while it is not among them
// Source: Y. Lin and V. Grover, "Using CUDA Warp-Level Primitives", on __syncwarp() around a legacy primitive; __shfl()
// took part with whoever was converged, which is what the masks say here.
#pragma once

#include <warpfiber/warpfiber.hpp>

namespace gallery {

/// One block of 32 threads; copies[i] shall be the first element plus 1 at odd places and plus 2 at even ones.
static __global__ void shuffle_between_syncwarps(const int* in, int* copies) {
  const unsigned lane = threadIdx.x;
  int value = in[lane];
  if (lane % 2 != 0) {
    __syncwarp();
    value = __shfl_sync(__activemask(), value, 0) + 1;  // @A
    __syncwarp();
  } else {
    __syncwarp();
    value = __shfl_sync(__activemask(), value, 0) + 2;  // @B
    __syncwarp();
  }
  copies[lane] = value;
}

}  // namespace gallery
