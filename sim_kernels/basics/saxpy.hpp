// SPDX-License-Identifier: Apache-2.0
// y = a x + y by a grid-stride loop: any grid computes any number of elements.
// Source: M. Harris, "CUDA Pro Tip: Write Flexible Kernels with Grid-Stride Loops".
#pragma once

#include <warpfiber/warpfiber.hpp>

namespace gallery {

static __global__ void saxpy(float a, const float* x, float* y, unsigned count) {
  const unsigned stride = gridDim.x * blockDim.x;
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += stride) y[i] = a * x[i] + y[i];
}

}  // namespace gallery
