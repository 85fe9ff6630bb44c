// expect: race-global
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: silent
// row: R6
// why: two warps use one word without order, after more launches than a checker can number apart
#include <cstdio>

constexpr int kThreads = 128;

__global__ void turn(int* ring) {
  __shared__ int kept[kThreads];
  const int t = threadIdx.x;
  kept[t] = ring[t];
  __syncthreads();
  ring[t] = kept[(t + 33) % kThreads] + kept[(t + 65) % kThreads] - kept[(t + 97) % kThreads];
}

__global__ void shift(int* ring) {
  const int t = threadIdx.x;
  const int left = ring[(t + 1) % kThreads];  // @A
  ring[t] = left;                             // @B
}

int main() {
  int* ring;
  cudaMalloc(&ring, kThreads * sizeof(int));
  cudaMemset(ring, 0, kThreads * sizeof(int));
  for (int i = 0; i < 1100; ++i) turn<<<1, kThreads>>>(ring);
  shift<<<1, kThreads>>>(ring);
  const bool ended = cudaDeviceSynchronize() == cudaSuccess;
  cudaFree(ring);
  std::puts(ended ? "PASS" : "FAIL");
}
