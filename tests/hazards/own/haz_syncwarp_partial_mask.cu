// expect: race-shared
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: silent
// row: R5
// why: each quarter of the warp synchronises by its own mask, then reads its neighbour quarter's slots
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void shift(int* data) {
  __shared__ int s[32];
  const int lane = threadIdx.x;
  s[lane] = data[lane];              // @A
  __syncwarp(0xffu << lane / 8 * 8);
  data[lane] = s[(lane + 8) % 32];   // @B
}

int main() {
  int h[32], *d, bad = 0;
  for (int i = 0; i < 32; ++i) h[i] = i;
  CK(cudaMalloc(&d, sizeof h));
  CK(cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice));
  shift<<<1, 32>>>(d);
  CK(cudaGetLastError());
  CK(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 32; ++i) bad += h[i] != (i + 8) % 32;
  std::printf("wrong %d\n", bad);
  CK(cudaFree(d));
}
