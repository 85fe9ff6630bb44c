// SPDX-License-Identifier: Apache-2.0
// A result of which the last block leaves out its part, so that another kernel reads what nobody has written. With fewer
// blocks the same line would read such values although it is right.
#include <cstdio>

constexpr int kBlocks = 8, kThreads = 32;

__global__ void fill(int* to) {
  if (blockIdx.x < kBlocks - 1) to[blockIdx.x * kThreads + threadIdx.x] = 1;
}
__global__ void sum(const int* from, int* to) {
  int total = 0;
  for (int i = 0; i < kBlocks; ++i) total += from[i * kThreads + threadIdx.x];
  to[threadIdx.x] = total;
}

int main() {
  int *a, *b;
  cudaMalloc(&a, kBlocks * kThreads * sizeof *a);
  cudaMalloc(&b, kThreads * sizeof *b);
  fill<<<kBlocks, kThreads>>>(a);
  sum<<<1, kThreads>>>(a, b);
  std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
