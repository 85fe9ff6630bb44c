// SPDX-License-Identifier: Apache-2.0
//
// The kernel that sum_test.cpp tests: the sum of n numbers.
#pragma once

#include <warpfiber/warpfiber.hpp>

__global__ inline void sum_all(const int* in, unsigned n, int* out) {
  int mine = 0;
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) mine += in[i];
  atomicAdd(out, mine);
}
