// expect: clean
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: ok
// row: S5
// why: blocks and threads without work skip the work, not the grid barrier
#include <cstdio>
#include <cstdlib>
#include <cooperative_groups.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

namespace cg = cooperative_groups;
__global__ void halo(int* a, int* b, int n) {
  auto grid = cg::this_grid();
  const int i = grid.thread_rank();
  for (int round = 0; round < 3; ++round) {
    if (i < n && i % 32 < 31) a[i] = i + round;
    grid.sync();
    if (i < n && i % 32 < 31) b[i] = a[(i + 32) % n];
    grid.sync();
  }
}

int main() {
  int n = 96, *a, *b, h[96], bad = 0;
  CK(cudaMalloc(&a, sizeof h));
  CK(cudaMalloc(&b, sizeof h));
  CK(cudaMemset(b, 0, sizeof h));
  void* args[] = {&a, &b, &n};
  CK(cudaLaunchCooperativeKernel(halo, dim3(5), dim3(32), args, 0, nullptr));
  CK(cudaMemcpy(h, b, sizeof h, cudaMemcpyDeviceToHost));
  for (int i = 0; i < n; ++i) bad += h[i] != (i % 32 == 31 ? 0 : (i + 32) % n + 2);
  CK(cudaFree(a));
  CK(cudaFree(b));
  std::printf("%s\n", bad ? "FAIL" : "PASS");
  return bad != 0;
}
