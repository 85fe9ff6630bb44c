// SPDX-License-Identifier: Apache-2.0
//
// The numbers from 1 to n, added up by a kernel.
#include <cuda_runtime.h>

__global__ void add(int n, unsigned* sum) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(sum, i + 1);
}

unsigned total(int n) {
  unsigned *sum, result = 0;
  cudaMalloc(&sum, sizeof(unsigned));
  cudaMemset(sum, 0, sizeof(unsigned));
  add<<<(n + 127) / 128, 128>>>(n, sum);
  cudaMemcpy(&result, sum, sizeof(unsigned), cudaMemcpyDeviceToHost);
  cudaFree(sum);
  return result;
}
