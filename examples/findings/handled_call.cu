// SPDX-License-Identifier: Apache-2.0
//
// A program that requests more memory than there is, checks the errors, and uses less.
#include <cstdio>

__global__ void fill(int* p) {
  extern __shared__ int s[];
  s[threadIdx.x] = 1;
  p[threadIdx.x] = s[threadIdx.x];
}

int main() {
  std::size_t bytes = std::size_t{1} << 40;
  int* p;
  while (cudaMalloc(&p, bytes) != cudaSuccess) bytes >>= 20;
  int shared = 1 << 20;
  while (cudaFuncSetAttribute(fill, cudaFuncAttributeMaxDynamicSharedMemorySize, shared) != cudaSuccess) shared /= 2;
  fill<<<1, 256, shared>>>(p);
  cudaDeviceSynchronize();
  cudaFree(p);
  std::printf("%d bytes of shared memory\n", shared);
}
