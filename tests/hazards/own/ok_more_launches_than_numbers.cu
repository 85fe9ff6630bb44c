// expect: clean
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: ok
// row: R6
// why: more launches than a checker can number apart, each in order behind the one before
#include <cstdio>

constexpr int kThreads = 128;

__global__ void turn(int* ring) {
  __shared__ int kept[kThreads];
  const int t = threadIdx.x;
  kept[t] = ring[t];
  __syncthreads();
  ring[t] = kept[(t + 33) % kThreads] + kept[(t + 65) % kThreads] - kept[(t + 97) % kThreads];
}

int main() {
  int* ring;
  cudaMalloc(&ring, kThreads * sizeof(int));
  cudaMemset(ring, 0, kThreads * sizeof(int));
  for (int i = 0; i < 1100; ++i) turn<<<1, kThreads>>>(ring);
  const bool ended = cudaDeviceSynchronize() == cudaSuccess;
  cudaFree(ring);
  std::puts(ended ? "PASS" : "FAIL");
}
