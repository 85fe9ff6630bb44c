// SPDX-License-Identifier: Apache-2.0
//
// A sum over a warp with the mask of __activemask() after a branch; corrected, the mask names all lanes.
#include <cstdio>

__device__ int sum_of_active(int v) {
  const unsigned mask = __activemask();
  for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(mask, v, d);
  return v;
}

__device__ int sum_of_all(int v) {
  for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(0xffffffff, v, d);
  return v;
}

__global__ void total(const int* in, int* out) {
  int v = in[threadIdx.x];
  if (v < 0) v = -v;
  const int result = sum_of_active(v);
  if (threadIdx.x == 0) *out = result;
}

__global__ void total_of_all(const int* in, int* out) {
  int v = in[threadIdx.x];
  if (v < 0) v = -v;
  const int result = sum_of_all(v);
  if (threadIdx.x == 0) *out = result;
}

int main() {
  int *in, *out;
  cudaMalloc(&in, 32 * sizeof(int));
  cudaMalloc(&out, sizeof(int));
  cudaMemset(in, 1, 32 * sizeof(int));
  total_of_all<<<1, 32>>>(in, out);
  total<<<1, 32>>>(in, out);
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
