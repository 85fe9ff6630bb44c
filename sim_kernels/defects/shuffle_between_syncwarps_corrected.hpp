// expect: clean   SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// hw: ok
// why: both shuffles name all lanes, so they are one shuffle that the lanes come to from two places
#pragma once

#include <warpfiber/warpfiber.hpp>

namespace gallery {

/// One block of 32 threads; copies[i] shall be the first element plus 1 at odd places and plus 2 at even ones.
static __global__ void shuffle_of_all_lanes(const int* in, int* copies) {
  const unsigned lane = threadIdx.x;
  int value = in[lane];
  if (lane % 2 != 0) {
    value = __shfl_sync(0xffffffffU, value, 0) + 1;
  } else {
    value = __shfl_sync(0xffffffffU, value, 0) + 2;
  }
  copies[lane] = value;
}

}  // namespace gallery
