// expect: race-global
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: core
// also-ok: oob-global
// hw: fault
// row: M1
// why: one thread uses an index far out of bounds, and two others increment one counter without order afterwards
#include <cstdio>

__global__ void count(const int* where, int* counts) {
  if (threadIdx.x == 0) counts[where[0]] = 1;
  __syncthreads();
  if (threadIdx.x < 2) counts[3] += 1;  // @A
}

int main() {
  const int first = 900000000;
  int* where;
  int* counts;
  if (cudaMalloc(&where, sizeof first) != cudaSuccess) return 3;
  if (cudaMalloc(&counts, 64 * sizeof *counts) != cudaSuccess) return 3;
  if (cudaMemcpy(where, &first, sizeof first, cudaMemcpyHostToDevice) != cudaSuccess) return 3;
  if (cudaMemset(counts, 0, 64 * sizeof *counts) != cudaSuccess) return 3;
  count<<<1, 64>>>(where, counts);
  std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
