// SPDX-License-Identifier: Apache-2.0
//
// Threads of the last, partial block skip a barrier; corrected, the barrier is outside the branch.
#include <cstdio>

__global__ void reverse(int* out, int n) {
  __shared__ int s[64];
  const int t = threadIdx.x;
  if (t < n) {
    s[t] = t;
    __syncthreads();
    out[t] = s[n - 1 - t];
  }
}

__global__ void reverse_by_all(int* out, int n) {
  __shared__ int s[64];
  const int t = threadIdx.x;
  if (t < n) s[t] = t;
  __syncthreads();
  if (t < n) out[t] = s[n - 1 - t];
}

int main() {
  int* out;
  cudaMalloc(&out, 64 * sizeof(int));
  reverse_by_all<<<1, 64>>>(out, 50);
  reverse<<<1, 64>>>(out, 50);
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
