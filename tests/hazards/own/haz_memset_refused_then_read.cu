// expect: oob-global
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: core
// hw: launch-error
// row: M2
// why: the memset is longer than the allocation and is refused, so the kernel reads what nobody has set
#include <cstdio>

__global__ void add(int* counts) { counts[threadIdx.x] += 1; }

int main() {
  int *counts, host[32];
  cudaMalloc(&counts, 32 * sizeof(int));
  cudaMemset(counts, 0, 64 * sizeof(int));  // @A
  add<<<1, 32>>>(counts);
  cudaMemcpy(host, counts, sizeof host, cudaMemcpyDeviceToHost);
  std::printf("%d\n", host[3]);
  cudaFree(counts);
}
