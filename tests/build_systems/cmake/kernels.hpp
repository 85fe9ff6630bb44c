// SPDX-License-Identifier: Apache-2.0
// Two kernels, one of which races, for tests of any framework.
#pragma once

__global__ void fill(int* values) {
  values[threadIdx.x] = static_cast<int>(threadIdx.x);
}
__global__ void fill_one(int* values) {
  values[0] = static_cast<int>(threadIdx.x);
}

/// Whether CUDA finds nothing wrong with it.
inline bool runs(void (*kernel)(int*)) {
  int* values = nullptr;
  if (cudaMalloc(&values, 64 * sizeof(int)) != cudaSuccess) return false;
  kernel<<<1, 64>>>(values);
  return cudaDeviceSynchronize() == cudaSuccess && cudaFree(values) == cudaSuccess;
}
