// expect: launch-error
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: core
// hw: launch-error
// row: L3
// why: the launch that sets the counters is refused, nobody asks, and the next kernel reads what nobody has set
#include <cstdio>

__global__ void clear(int* counts) { counts[threadIdx.x] = 0; }
__global__ void add(int* counts) { counts[threadIdx.x] += 1; }

int main() {
  int *counts, host[32];
  cudaMalloc(&counts, 2048 * sizeof(int));
  clear<<<1, 2048>>>(counts);  // @A
  add<<<1, 32>>>(counts);
  cudaMemcpy(host, counts, sizeof host, cudaMemcpyDeviceToHost);
  std::printf("%d\n", host[3]);
  cudaFree(counts);
}
