// SPDX-License-Identifier: Apache-2.0
//
// Each thread hands its value to its neighbour, round after round, with one barrier where two are needed.
#include <cstdio>

constexpr int kThreads = 128, kRounds = 3;

__global__ void rotate(int* out) {
  __shared__ int s[kThreads];
  const int t = threadIdx.x;
  int v = t;
  for (int round = 0; round < kRounds; ++round) {
    s[t] = v;
    __syncthreads();
    v = s[(t + 1) % kThreads];
  }
  out[t] = v;
}

int main() {
  int* out;
  cudaMalloc(&out, kThreads * sizeof(int));
  rotate<<<1, kThreads>>>(out);
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
