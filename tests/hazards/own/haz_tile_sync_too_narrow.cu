// expect: race-shared
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: silent
// row: R5
// why: the exchange crosses the halves of the warp, the barrier covers a tile of 16
#include <cstdio>
#include <cstdlib>
#include <cooperative_groups.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

namespace cg = cooperative_groups;
__global__ void swap_halves(int* data) {
  __shared__ int s[32];
  auto tile = cg::tiled_partition<16>(cg::this_thread_block());
  const int t = threadIdx.x;
  s[t] = data[t];       // @A
  tile.sync();          // needs a tile of 32
  data[t] = s[t ^ 16];  // @B
}

int main() {
  int h[32], *d, bad = 0;
  for (int i = 0; i < 32; ++i) h[i] = i;
  CK(cudaMalloc(&d, sizeof h));
  CK(cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice));
  swap_halves<<<1, 32>>>(d);
  CK(cudaGetLastError());
  CK(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 32; ++i) bad += h[i] != (i ^ 16);
  std::printf("wrong %d\n", bad);
  CK(cudaFree(d));
}
