// SPDX-License-Identifier: Apache-2.0
//
// Two blocks take two locks in opposite orders; corrected, both take the lower lock first.
#include <cstdio>

__global__ void exchange(int* locks) {
  int* mine = locks + blockIdx.x;
  int* theirs = locks + 1 - blockIdx.x;
  while (atomicCAS(mine, 0, 1) != 0) {
  }
  atomicAdd(locks + 2, 1);
  while (atomicAdd(locks + 2, 0) < 2) {  // until both blocks hold one lock
  }
  while (atomicCAS(theirs, 0, 1) != 0) {
  }
}

__global__ void exchange_in_order(int* locks) {
  while (atomicCAS(locks, 0, 1) != 0) {
  }
  while (atomicCAS(locks + 1, 0, 1) != 0) {
  }
  atomicExch(locks + 1, 0);
  atomicExch(locks, 0);
}

int main() {
  int* locks;
  cudaMalloc(&locks, 3 * sizeof(int));
  cudaMemset(locks, 0, 3 * sizeof(int));
  exchange_in_order<<<2, 1>>>(locks);
  exchange<<<2, 1>>>(locks);
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
