// expect: deadlock
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: core
// hw: hang
// row: S5
// why: the first thread of a block returns before grid.sync(), which every block's first thread has to arrive at
#include <cstdio>
#include <cstdlib>
#include <cooperative_groups.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

namespace cg = cooperative_groups;

__global__ void phases(int* data, int n) {
  auto grid = cg::this_grid();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (blockIdx.x == 1 && threadIdx.x == 0) return;  // @B
  data[i] = i;
  grid.sync();  // @A
  atomicAdd(&data[(i + 32) % n], 1);
}

int main() {
  int n = 64, *data;
  CK(cudaMalloc(&data, n * sizeof(int)));
  CK(cudaMemset(data, 0, n * sizeof(int)));
  void* arguments[] = {&data, &n};
  CK(cudaLaunchCooperativeKernel(phases, dim3(2), dim3(32), arguments));
  std::printf("synchronise: %s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
