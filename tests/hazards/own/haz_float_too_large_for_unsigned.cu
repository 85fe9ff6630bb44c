// expect: conversion
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: silent
// row: M16
// why: the mark of an empty place is rounded up to 2^32 as a float, which a device makes the largest unsigned again, and a host 0
#include <climits>
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void ranks(const float* in, unsigned* rank, int n) {
  __shared__ float padded[64];
  const int t = threadIdx.x;
  if (t < n) {
    padded[t] = in[t];
  } else {
    padded[t] = UINT_MAX;  // 4294967296.0f
  }
  __syncthreads();
  if (t < n) {
    unsigned smaller = 0;
    for (int i = 0; i < 64; ++i) {
      const unsigned other = padded[i];  // @A
      smaller += other < in[t];
    }
    rank[t] = smaller;
  }
}

int main() {
  const int n = 50;
  float h[n], *in;
  unsigned* rank;
  for (int i = 0; i < n; ++i) h[i] = float(i * 7 % n);
  CK(cudaMalloc(&in, sizeof h));
  CK(cudaMalloc(&rank, n * sizeof(unsigned)));
  CK(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
  ranks<<<1, 64>>>(in, rank, n);
  CK(cudaGetLastError());
  CK(cudaDeviceSynchronize());
  CK(cudaFree(in));
  CK(cudaFree(rank));
  std::puts("PASS");
}
