// SPDX-License-Identifier: Apache-2.0
//
// A guard that is off by one, and a null pointer.
#include <cstdio>

__global__ void fill(int* p, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i <= n) p[i] = i;  // one too many
}

__global__ void fill_in_bounds(int* p, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) p[i] = i;
}

__global__ void count_threads(int* count) {
  if (threadIdx.x == 3) *count = 4;
}

int main() {
  int* p;
  cudaMalloc(&p, 100 * sizeof(int));
  fill_in_bounds<<<2, 64>>>(p, 100);
  fill<<<2, 64>>>(p, 100);
  count_threads<<<1, 32>>>(nullptr);
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
