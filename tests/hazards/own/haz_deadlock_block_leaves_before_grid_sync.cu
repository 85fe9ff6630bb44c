// expect: deadlock
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// also-ok: cg-misuse,barrier-divergence
// hw: hang
// row: S5
// why: one block has nothing to do and returns before the grid barrier, which counts blocks
#include <cstdio>
#include <cstdlib>
#include <cooperative_groups.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

namespace cg = cooperative_groups;
__global__ void exchange(int* a, int* b, int n) {
  auto grid = cg::this_grid();
  const int i = grid.thread_rank();
  if (blockIdx.x == 2) return;  // @B
  a[i] = i;
  grid.sync();  // @A
  b[i] = a[(i + 32) % n];
}

int main() {
  int n = 96, *a, *b;
  CK(cudaMalloc(&a, n * sizeof(int)));
  CK(cudaMalloc(&b, n * sizeof(int)));
  CK(cudaMemset(a, 0, n * sizeof(int)));
  void* args[] = {&a, &b, &n};
  CK(cudaLaunchCooperativeKernel(exchange, dim3(3), dim3(32), args, 0, nullptr));
  CK(cudaDeviceSynchronize());
  std::printf("finished\n");
  CK(cudaFree(a));
  CK(cudaFree(b));
}
