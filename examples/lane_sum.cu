// SPDX-License-Identifier: Apache-2.0
//
// A sum from before sm_70, which relies on the lanes of a warp doing everything together, through volatile.
#include <cstdio>

__global__ void lane_sum(const int* in, int* out) {
  __shared__ volatile int s[64];
  const int t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  if (t < 32) {
    s[t] += s[t + 32];
    s[t] += s[t + 16];
    s[t] += s[t + 8];
    s[t] += s[t + 4];
    s[t] += s[t + 2];
    s[t] += s[t + 1];
  }
  if (t == 0) *out = s[0];
}

int main() {
  int values[64], *in, *out, sum = 0;
  for (int i = 0; i < 64; ++i) values[i] = i;
  cudaMalloc(&in, sizeof values);
  cudaMalloc(&out, sizeof sum);
  cudaMemcpy(in, values, sizeof values, cudaMemcpyHostToDevice);
  lane_sum<<<1, 64>>>(in, out);
  const cudaError_t error = cudaMemcpy(&sum, out, sizeof sum, cudaMemcpyDeviceToHost);
  std::printf("%s: %d\n", cudaGetErrorString(error), sum);
}
