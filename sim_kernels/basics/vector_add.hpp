// SPDX-License-Identifier: Apache-2.0
// Vector addition with one thread an element, the first kernel of the CUDA C++ Programming Guide ("Kernels").
// Threads past the end do nothing, so any grid that covers the elements will do. No thread ever waits.
#pragma once

#include <warpfiber/warpfiber.hpp>

namespace gallery {

static __global__ void vector_add(const int* a, const int* b, int* sum, unsigned count) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) sum[i] = a[i] + b[i];
}

}  // namespace gallery
