// SPDX-License-Identifier: Apache-2.0
// A barrier is missing between the lines that are marked.
#pragma once

#include "mended_size.cuh"

__global__ void reverse(const int* in, int* out) {
  __shared__ int tile[kThreads];
  tile[threadIdx.x] = in[threadIdx.x];                  // @A
  out[threadIdx.x] = tile[kThreads - 1 - threadIdx.x];  // @B
}
