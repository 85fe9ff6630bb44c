// expect: race-shared
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: core
// hw: silent
// why: __syncwarp orders one warp only, but the partner slot belongs to the other warp
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void swap_halves(int* data) {
  __shared__ int s[64];
  const int t = threadIdx.x;
  s[t] = data[t];       // @A
  __syncwarp();         // needs __syncthreads
  data[t] = s[t ^ 32];  // @B
}

int main() {
  int h[64], *d;
  for (int i = 0; i < 64; ++i) h[i] = i;
  CK(cudaMalloc(&d, sizeof h));
  CK(cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice));
  swap_halves<<<1, 64>>>(d);
  CK(cudaGetLastError());
  CK(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost));
  int bad = 0;
  for (int i = 0; i < 64; ++i) bad += h[i] != (i ^ 32);
  std::printf("wrong %d\n", bad);
  CK(cudaFree(d));
}
