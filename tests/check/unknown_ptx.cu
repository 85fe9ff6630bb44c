// SPDX-License-Identifier: Apache-2.0
//
// Uses a library that has PTX which is not modelled. Only a thread that reaches it ends the launch.
#include <cstdio>

#include "cub/wrappers.cuh"

__global__ void work(int* out, bool reaches) {
  out[threadIdx.x] = 1;
  if (reaches && threadIdx.x == 3) library::fence();
  if (reaches && threadIdx.x == 9) out[0] = library::difference(1, 2);
}

int main(int argc, char**) {
  int* out = nullptr;
  cudaMalloc(&out, 32 * sizeof(int));
  work<<<1, 32>>>(out, argc > 1);
  const cudaError_t error = cudaDeviceSynchronize();
  std::printf("%s\n", cudaGetErrorName(error));
  cudaFree(out);
  return 0;
}
