// SPDX-License-Identifier: Apache-2.0
//
// Masks that come from __activemask(): of a sum behind a branch, and of an append whose lanes elect a leader.
#include <cstdio>
#include <cstring>

__device__ int sum(int v) {
  const unsigned mask = __activemask();
  for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(mask, v, d);
  return v + __any_sync(mask, v < 0);
}

template <class T>
__global__ void behind(const T* in, T* out) {
  T v = in[threadIdx.x];
  if (v < 0) v = -v;
  const T all = sum(v);
  if (threadIdx.x == 0) *out = all;
}

__global__ void append(const int* in, int* out) {
  const int v = in[threadIdx.x], lane = threadIdx.x % 32;
  if (v >= 0) {
    const unsigned mask = __activemask();
    const int leader = __ffs(mask) - 1;
    int at = 0;
    if (lane == leader) at = atomicAdd(out, __popc(mask));
    at = __shfl_sync(mask, at, leader) + __popc(mask & ((1u << lane) - 1));
    out[1 + at] = v;
  }
}

int main(int, char** arguments) {
  int *in, *out;
  cudaMalloc(&in, 32 * sizeof(int));
  cudaMalloc(&out, 33 * sizeof(int));
  cudaMemset(in, 0, 32 * sizeof(int));
  cudaMemset(out, 0, 33 * sizeof(int));
  if (std::strcmp(arguments[1], "behind") == 0) behind<<<1, 32>>>(in, out);
  if (std::strcmp(arguments[1], "append") == 0) append<<<1, 32>>>(in, out);
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaFree(in);
  cudaFree(out);
}
