// SPDX-License-Identifier: Apache-2.0
//
// A library that Python loads: it makes numbers on the device, and leaves them there.
#include <cuda_runtime.h>

__global__ void numbers(float* values, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) values[i] = static_cast<float>(i);
}

extern "C" int fill(float** values, int n) {
  if (const cudaError_t error = cudaMalloc(values, n * sizeof(float)); error != cudaSuccess) return error;
  numbers<<<(n + 127) / 128, 128>>>(*values, n);
  return cudaDeviceSynchronize();
}
