// SPDX-License-Identifier: Apache-2.0
//
// 48 of 64 slots are stored and all are added up; corrected, every slot gets a value.
#include <cstdio>

__global__ void sum(int* out) {
  __shared__ int s[64];
  const int t = threadIdx.x;
  if (t < 48) s[t] = 1;
  __syncthreads();
  if (t == 0) {
    int v = 0;
    for (int i = 0; i < 64; ++i) v += s[i];  // 48 to 63 were never stored
    *out = v;
  }
}

__global__ void sum_of_all(int* out) {
  __shared__ int s[64];
  const int t = threadIdx.x;
  s[t] = t < 48 ? 1 : 0;
  __syncthreads();
  if (t == 0) {
    int v = 0;
    for (int i = 0; i < 64; ++i) v += s[i];
    *out = v;
  }
}

int main() {
  int* out;
  cudaMalloc(&out, sizeof(int));
  sum_of_all<<<1, 64>>>(out);
  sum<<<1, 64>>>(out);
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
