// expect: race-shared
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: core
// hw: silent
// row: R2
// why: lanes of one warp exchange values through shared memory as if they ran in step
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void reverse_warp(int* data) {
  __shared__ int s[32];
  const int lane = threadIdx.x;
  s[lane] = data[lane];       // @A
  data[lane] = s[31 - lane];  // @B  __syncwarp() is missing
}

int main() {
  int h[32], *d, bad = 0;
  for (int i = 0; i < 32; ++i) h[i] = i;
  CK(cudaMalloc(&d, sizeof h));
  CK(cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice));
  reverse_warp<<<1, 32>>>(d);
  CK(cudaGetLastError());
  CK(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 32; ++i) bad += h[i] != 31 - i;
  std::printf("wrong %d\n", bad);
  CK(cudaFree(d));
}
