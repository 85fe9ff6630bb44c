// expect: cg-misuse
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: core
// also-ok: race-global
// hw: silent
// why: one arrival token is waited on twice; the second wait orders nothing, so the data exchange races
#include <cstdio>
#include <cstdlib>
#include <cooperative_groups.h>
#include <utility>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

namespace cg = cooperative_groups;
__global__ void phases(int* a, int* b, int n) {
  auto grid = cg::this_grid();
  const int i = grid.thread_rank();
  auto token = grid.barrier_arrive();
  grid.barrier_wait(std::move(token));
  a[i] = i;
  grid.barrier_wait(std::move(token));  // @A  no arrive belongs to this wait
  b[i] = a[(i + 32) % n];
}

int main() {
  int n = 128, *a, *b;
  CK(cudaMalloc(&a, n * sizeof(int)));
  CK(cudaMalloc(&b, n * sizeof(int)));
  CK(cudaMemset(a, 0, n * sizeof(int)));
  void* args[] = {&a, &b, &n};
  CK(cudaLaunchCooperativeKernel(phases, dim3(4), dim3(32), args, 0, nullptr));
  CK(cudaDeviceSynchronize());
  std::printf("finished\n");
  CK(cudaFree(a));
  CK(cudaFree(b));
}
