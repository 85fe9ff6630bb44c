// expect: clean
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: ok
// why: grid.barrier_arrive, private work, grid.barrier_wait; a fresh token every round
#include <cstdio>
#include <cstdlib>
#include <cooperative_groups.h>
#include <utility>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

namespace cg = cooperative_groups;
__global__ void rounds(int* a, int n, int* out) {
  auto grid = cg::this_grid();
  const int i = grid.thread_rank();
  int acc = 0;
  for (int r = 0; r < 3; ++r) {
    a[r * n + i] = i + r;
    auto token = grid.barrier_arrive();
    acc += r;
    grid.barrier_wait(std::move(token));
    acc += a[r * n + (i + 32) % n];
  }
  out[i] = acc;
}

int main() {
  const int N = 96;
  int n = N, h[N], *a, *out, bad = 0;
  CK(cudaMalloc(&a, 3 * sizeof h));
  CK(cudaMalloc(&out, sizeof h));
  void* args[] = {&a, &n, &out};
  CK(cudaLaunchCooperativeKernel(rounds, dim3(3), dim3(32), args, 0, nullptr));
  CK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
  for (int i = 0; i < N; ++i) bad += h[i] != 6 + 3 * ((i + 32) % N);
  CK(cudaFree(a));
  CK(cudaFree(out));
  std::printf("%s\n", bad ? "FAIL" : "PASS");
  return bad != 0;
}
