// SPDX-License-Identifier: Apache-2.0
//
// A thread reads what another thread of its block stores; a barrier is needed between the two.
#include <cstdio>

__global__ void reverse(const int* in, int* out) {
  __shared__ int s[128];
  const int t = threadIdx.x;
  s[t] = in[t];
  out[t] = s[127 - t];  // perhaps not stored yet
}

__global__ void reverse_after_barrier(const int* in, int* out) {
  __shared__ int s[128];
  const int t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  out[t] = s[127 - t];
}

int main() {
  int *in, *out;
  cudaMalloc(&in, 128 * sizeof(int));
  cudaMalloc(&out, 128 * sizeof(int));
  cudaMemset(in, 0, 128 * sizeof(int));
  reverse_after_barrier<<<1, 128>>>(in, out);
  reverse<<<1, 128>>>(in, out);
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
