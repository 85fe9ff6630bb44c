// SPDX-License-Identifier: Apache-2.0
//
// Reads the size of its block from standard input. Without one there is nothing to launch, which it says by its status.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void number(int* out) {
  out[threadIdx.x] = threadIdx.x;
}

int main() {
  int threads = 0;
  if (std::scanf("%d", &threads) != 1) return 3;
  int* out = nullptr;
  if (cudaMalloc(&out, threads * sizeof(int)) != cudaSuccess) return 4;
  number<<<1, threads>>>(out);
  const bool is_done = cudaDeviceSynchronize() == cudaSuccess;
  return cudaFree(out) == cudaSuccess && is_done ? 0 : 5;
}
