// SPDX-License-Identifier: Apache-2.0
//
// A block of 2,048 threads, and the same work in blocks that are allowed, with a check of the error.
#include <cstdio>

__global__ void fill(int* p, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) p[i] = 1;
}

cudaError_t run(int* p) {
  fill<<<(2048 + 255) / 256, 256>>>(p, 2048);
  return cudaGetLastError();
}

int main() {
  int* p;
  cudaMalloc(&p, 2048 * sizeof(int));
  if (run(p) != cudaSuccess) return 1;
  fill<<<1, 2048>>>(p, 2048);
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
