// SPDX-License-Identifier: Apache-2.0
// Two threads take two locks in opposite order. Each in its turn gets both; with a switch in between neither does.
#include <cstdio>

__device__ int locks[2];

__device__ void take(int lock) {
  while (atomicCAS(&locks[lock], 0, 1) != 0) {
  }
}

__device__ void give(int lock) {
  atomicExch(&locks[lock], 0);
}

__global__ void swap_all(int rounds) {
  const int first = threadIdx.x == 0 ? 0 : 1;
  for (int round = 0; round < rounds; ++round) {
    take(first);
    if (round == rounds / 2) {
      take(1 - first);
      give(1 - first);
    }
    give(first);
  }
}

int main() {
  swap_all<<<1, 2>>>(10);
  std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
