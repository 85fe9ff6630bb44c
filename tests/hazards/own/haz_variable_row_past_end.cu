// expect: oob-global
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: silent
// row: M1
// why: the last row of a two-dimensional device table is looked up one row too far
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__device__ int grid_of_cells[8][32];
__device__ int counts[32];
__global__ void accumulate() {
  const int x = threadIdx.x;
  int below = 0;
  for (int y = 0; y < 8; ++y) below += grid_of_cells[y + 1][x];  // @A
  counts[x] = below;
}

int main() {
  accumulate<<<1, 32>>>();
  CK(cudaGetLastError());
  CK(cudaDeviceSynchronize());
  std::printf("finished\n");
}
