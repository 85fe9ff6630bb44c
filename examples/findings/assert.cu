// SPDX-License-Identifier: Apache-2.0
//
// A kernel that asserts what its input does not satisfy, and one that counts such input instead.
#include <cassert>
#include <cstdio>

__global__ void root(const int* in, int* out) {
  const int v = in[threadIdx.x];
  assert(v > 0);  // the input holds a zero
  out[threadIdx.x] = v;
}

__global__ void root_or_zero(const int* in, int* out, int* bad) {
  const int v = in[threadIdx.x];
  if (v <= 0) atomicAdd(bad, 1);
  out[threadIdx.x] = v > 0 ? v : 0;
}

int main() {
  int *in, *out, *bad;
  cudaMalloc(&in, 32 * sizeof(int));
  cudaMalloc(&out, 32 * sizeof(int));
  cudaMalloc(&bad, sizeof(int));
  cudaMemset(in, 0, 32 * sizeof(int));
  cudaMemset(bad, 0, sizeof(int));
  root_or_zero<<<1, 32>>>(in, out, bad);
  root<<<1, 32>>>(in, out);
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
