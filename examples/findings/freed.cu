// SPDX-License-Identifier: Apache-2.0
//
// A kernel that is launched with a pointer after cudaFree(); corrected, the memory is freed after the kernel.
#include <cstdio>

__global__ void fill(int* p) {
  p[threadIdx.x] = threadIdx.x;
}

int main() {
  int *p, *q;
  cudaMalloc(&p, 64 * sizeof(int));
  cudaMalloc(&q, 64 * sizeof(int));
  fill<<<1, 64>>>(q);
  cudaFree(q);
  cudaFree(p);
  fill<<<1, 64>>>(p);
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
