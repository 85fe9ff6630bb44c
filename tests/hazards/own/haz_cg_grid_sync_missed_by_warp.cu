// expect: cg-misuse
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// also-ok: deadlock,barrier-divergence
// hw: hang
// row: C2
// why: one warp of every block goes round the grid barrier
#include <cstdio>
#include <cstdlib>
#include <cooperative_groups.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

namespace cg = cooperative_groups;
__global__ void k(int* out) {
  auto grid = cg::this_grid();
  out[grid.thread_rank()] = 1;
  if (threadIdx.x < 32) grid.sync();  // @A
  __syncthreads();  // @B
}
int main() {
  int *p, h;
  CK(cudaMalloc(&p, 128 * sizeof(int)));
  void* args[] = {&p};
  CK(cudaLaunchCooperativeKernel(reinterpret_cast<void*>(k), dim3(2), dim3(64), args, 0, nullptr));
  CK(cudaMemcpy(&h, p + 1, sizeof h, cudaMemcpyDeviceToHost));
  std::printf("%d\n", h);
  CK(cudaFree(p));
}
