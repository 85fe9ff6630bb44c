// expect: race-global
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: core
// hw: silent
// why: neighbour blocks exchange halos after block.sync(); only grid.sync() would order them
#include <cstdio>
#include <cstdlib>
#include <cooperative_groups.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

namespace cg = cooperative_groups;
__global__ void shift(int* a, int* b, int n) {
  auto block = cg::this_thread_block();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  a[i] = i;             // @A
  block.sync();         // needs cg::this_grid().sync()
  b[i] = a[(i + 1) % n];  // @B
}

int main() {
  int n = 128, *a, *b, h[128];
  CK(cudaMalloc(&a, sizeof h));
  CK(cudaMalloc(&b, sizeof h));
  CK(cudaMemset(a, 0, sizeof h));
  void* args[] = {&a, &b, &n};
  CK(cudaLaunchCooperativeKernel(shift, dim3(4), dim3(32), args, 0, nullptr));
  CK(cudaMemcpy(h, b, sizeof h, cudaMemcpyDeviceToHost));
  int bad = 0;
  for (int i = 0; i < n; ++i) bad += h[i] != (i + 1) % n;
  std::printf("wrong %d\n", bad);
  CK(cudaFree(a));
  CK(cudaFree(b));
}
