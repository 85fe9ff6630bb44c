// expect: refused-call
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: core
// hw: launch-error
// row: L3
// why: the copy to the device has the kind of a copy from it and is refused, so the kernel reads what nobody has written
#include <cstdio>

__global__ void add(int* counts) { counts[threadIdx.x] += 1; }

int main() {
  int *counts, host[32] = {};
  cudaMalloc(&counts, sizeof host);
  cudaMemcpy(counts, host, sizeof host, cudaMemcpyDeviceToHost);  // @A
  add<<<1, 32>>>(counts);
  cudaMemcpy(host, counts, sizeof host, cudaMemcpyDeviceToHost);
  std::printf("%d\n", host[3]);
  cudaFree(counts);
}
