// SPDX-License-Identifier: Apache-2.0
//
// Many threads store the same value; a vote has no race.
#include <cstdio>

__global__ void any_negative(const int* in, int* out) {
  __shared__ int found;
  if (threadIdx.x == 0) found = 0;
  __syncthreads();
  if (in[threadIdx.x] < 0) found = 1;  // many threads, one value
  __syncthreads();
  if (threadIdx.x == 0) *out = found;
}

__global__ void any_negative_by_vote(const int* in, int* out) {
  const int found = __syncthreads_or(in[threadIdx.x] < 0);
  if (threadIdx.x == 0) *out = found;
}

int main() {
  int *in, *out;
  cudaMalloc(&in, 64 * sizeof(int));
  cudaMalloc(&out, sizeof(int));
  cudaMemset(in, 0xff, 64 * sizeof(int));
  any_negative_by_vote<<<1, 64>>>(in, out);
  any_negative<<<1, 64>>>(in, out);
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
