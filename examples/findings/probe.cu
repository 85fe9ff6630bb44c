// SPDX-License-Identifier: Apache-2.0
//
// A program that tries a large block, checks the error, and uses a smaller one.
#include <cstdio>

__global__ void fill(int* p, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) p[i] = 1;
}

int main() {
  int* p;
  cudaMalloc(&p, 2048 * sizeof(int));
  fill<<<1, 2048>>>(p, 2048);
  const bool large = cudaGetLastError() == cudaSuccess;
  if (!large) fill<<<2, 1024>>>(p, 2048);
  cudaDeviceSynchronize();
  std::printf("blocks of %d threads\n", large ? 2048 : 1024);
}
