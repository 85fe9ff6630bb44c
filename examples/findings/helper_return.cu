// SPDX-License-Identifier: Apache-2.0
//
// Threads that have no element leave a function before its barrier.
#include <cstdio>

__device__ int turned(const int* s, int n) {
  const int t = threadIdx.x;
  if (t >= n) return 0;
  __syncthreads();
  return s[n - 1 - t];
}

__global__ void turn(int* out, int n) {
  __shared__ int s[64];
  s[threadIdx.x] = threadIdx.x;
  const int value = turned(s, n);
  out[threadIdx.x] = value;
}

int main() {
  int* out = nullptr;
  cudaMalloc(&out, 64 * sizeof(int));
  turn<<<1, 64>>>(out, 50);
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaFree(out);
}
