// expect: race-global
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// also-ok: deadlock,barrier-divergence
// hw: may-hang
// row: R7
// why: a cooperative solver clears its residual while blocks of the last step still read it
#include <cstdio>
#include <cstdlib>
#include <cooperative_groups.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

namespace cg = cooperative_groups;
__device__ float residual;
__global__ void relax(float* x, int n, int* steps) {
  auto grid = cg::this_grid();
  const int i = static_cast<int>(grid.thread_rank());
  for (int step = 0; step < 3; ++step) {
    if (i == 0) residual = 0;  // @A
    grid.sync();
    if (i < n) {
      x[i] *= 0.5f;
      atomicAdd(&residual, x[i]);
    }
    grid.sync();
    if (residual < 1e-6f) break;  // @B
    if (i == 0) *steps = step;
  }
}

int main() {
  int n = 90, *steps;
  float* x;
  CK(cudaMalloc(&x, n * sizeof(float)));
  CK(cudaMalloc(&steps, sizeof(int)));
  float h[90];
  for (float& v : h) v = 1;
  CK(cudaMemcpy(x, h, sizeof h, cudaMemcpyHostToDevice));
  void* args[] = {&x, &n, &steps};
  CK(cudaLaunchCooperativeKernel(relax, dim3(3), dim3(32), args, 0, nullptr));
  CK(cudaDeviceSynchronize());
  std::printf("finished\n");
  CK(cudaFree(x));
  CK(cudaFree(steps));
}
