// SPDX-License-Identifier: Apache-2.0
//
// A memset that is given the number of elements instead of bytes.
#include <cstdio>

__global__ void add_one(int* p) {
  p[threadIdx.x] += 1;
}

int main() {
  int *p, *q;
  cudaMalloc(&p, 64 * sizeof(int));
  cudaMalloc(&q, 64 * sizeof(int));
  cudaMemset(p, 0, 64);  // bytes: a quarter of the array
  cudaMemset(q, 0, 64 * sizeof(int));
  add_one<<<1, 64>>>(q);
  add_one<<<1, 64>>>(p);
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
