// expect: deadlock   SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// also-ok: livelock
// hw: hang
// why: a hand-made grid barrier with more blocks than fit on the device: those that run wait for some that never start
#pragma once

#include "../cooperative_groups/tree_sum.hpp"

namespace gallery {

/// *total = sum of all elements. Each block stages its share in dynamic shared memory; *arrived begins as 0.
static __global__ void oversized_grid_barrier(const unsigned* in, unsigned share, unsigned* partial, unsigned* arrived,
                                              unsigned* total) {
  WARPFIBER_SHARED(unsigned[kMostThreads], scratch);
  unsigned* stage = warpfiber::dynamic_shared<unsigned>();
  unsigned sum = 0;
  for (unsigned i = threadIdx.x; i < share; i += blockDim.x) {
    stage[i] = in[blockIdx.x * share + i];
    sum += stage[i];
  }
  sum = tree_sum(BlockGroup{}, &scratch[0], sum);
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = sum;
    __threadfence();
    atomicAdd(arrived, 1U);
    while (atomicAdd(arrived, 0U) < gridDim.x) {  // @A
    }
    __threadfence();
  }
  __syncthreads();  // @B
  if (blockIdx.x != 0 || threadIdx.x != 0) return;
  *total = 0;
  for (unsigned block = 0; block < gridDim.x; ++block) *total += partial[block];
}

}  // namespace gallery
