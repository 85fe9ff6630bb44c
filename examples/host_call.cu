// SPDX-License-Identifier: Apache-2.0
//
// A kernel that calls a function of the host, which nvcc refuses. It is no part of the CMake project.
#include <cstdio>

int weight(int i) {
  return 2 * i;
}

__global__ void sum(int* out) {
  atomicAdd(out, weight(threadIdx.x));
}

int main() {
  int* out;
  cudaMalloc(&out, sizeof(int));
  cudaMemset(out, 0, sizeof(int));
  sum<<<1, 32>>>(out);
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
