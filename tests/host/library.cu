// SPDX-License-Identifier: Apache-2.0
// A library that Python loads.
#include <cuda_runtime.h>

__global__ void twice(int* values, int count) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < count) values[i] *= 2;
}

extern "C" int twice_each(int* values, int count) {
  int* memory = nullptr;
  const std::size_t bytes = static_cast<std::size_t>(count) * sizeof(int);
  cudaError_t error = cudaMalloc(&memory, bytes);
  if (error != cudaSuccess) return error;
  cudaMemcpy(memory, values, bytes, cudaMemcpyHostToDevice);
  twice<<<(count + 63) / 64, 64>>>(memory, count);
  error = cudaMemcpy(values, memory, bytes, cudaMemcpyDeviceToHost);
  cudaFree(memory);
  return error;
}
