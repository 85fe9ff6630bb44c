// expect: clean   SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// hw: ok
// why: a cooperative launch of no more blocks than fit, each taking several shares, and the grid barrier CUDA provides
#pragma once

#include "../cooperative_groups/tree_sum.hpp"

namespace gallery {

/// *total = sum of `shares` shares, one after the other staged in dynamic shared memory; any grid will do.
static __global__ void fitting_grid_barrier(const unsigned* in, unsigned share, unsigned shares, unsigned* partial,
                                            unsigned* total) {
  WARPFIBER_SHARED(unsigned[kMostThreads], scratch);
  unsigned* stage = warpfiber::dynamic_shared<unsigned>();
  unsigned sum = 0;
  for (unsigned first = blockIdx.x; first < shares; first += gridDim.x) {
    for (unsigned i = threadIdx.x; i < share; i += blockDim.x) {
      stage[i] = in[first * share + i];
      sum += stage[i];
    }
  }
  sum = tree_sum(BlockGroup{}, &scratch[0], sum);
  if (threadIdx.x == 0) partial[blockIdx.x] = sum;
  warpfiber::sync_grid();
  if (blockIdx.x != 0 || threadIdx.x != 0) return;
  *total = 0;
  for (unsigned block = 0; block < gridDim.x; ++block) *total += partial[block];
}

}  // namespace gallery
