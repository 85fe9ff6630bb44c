// SPDX-License-Identifier: Apache-2.0
//
// Both sides of a branch call __syncthreads(); corrected, the call is before the branch.
#include <cstdio>

__global__ void neighbours(int* out) {
  __shared__ int s[64];
  const int t = threadIdx.x;
  s[t] = t;
  if (t < 32) {
    __syncthreads();
    out[t] = s[t + 1];
  } else {
    __syncthreads();
    out[t] = s[t - 1];
  }
}

__global__ void neighbours_after_one_barrier(int* out) {
  __shared__ int s[64];
  const int t = threadIdx.x;
  s[t] = t;
  __syncthreads();
  out[t] = t < 32 ? s[t + 1] : s[t - 1];
}

int main() {
  int* out;
  cudaMalloc(&out, 64 * sizeof(int));
  neighbours_after_one_barrier<<<1, 64>>>(out);
  neighbours<<<1, 64>>>(out);
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
