// expect: deadlock
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: hang
// row: S5
// why: blocks whose part has converged leave the loop of a cooperative solver and return
#include <cstdio>
#include <cstdlib>
#include <cooperative_groups.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

namespace cg = cooperative_groups;
__global__ void solve(const float* start, float* x, int steps) {
  auto grid = cg::this_grid();
  const unsigned i = grid.thread_rank();
  float value = start[i];
  for (int k = 0; k < steps; ++k) {
    value *= 0.5f;
    if (__syncthreads_and(value < 0.1f)) {
      x[i] = value;
      return;  // @B
    }
    grid.sync();  // @A
  }
  x[i] = value;
}

int main() {
  int steps = 8;
  float h[96], *start, *x;
  for (int i = 0; i < 96; ++i) h[i] = i < 32 ? 0.15f : 1;
  CK(cudaMalloc(&start, sizeof h));
  CK(cudaMalloc(&x, sizeof h));
  CK(cudaMemcpy(start, h, sizeof h, cudaMemcpyHostToDevice));
  void* args[] = {&start, &x, &steps};
  CK(cudaLaunchCooperativeKernel(solve, dim3(3), dim3(32), args, 0, nullptr));
  CK(cudaDeviceSynchronize());
  std::printf("finished\n");
  CK(cudaFree(start));
  CK(cudaFree(x));
}
