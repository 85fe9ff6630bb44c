// expect: clean
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: core
// hw: ok
// row: R7
// why: blocks exchange halos every step; two buffers and one grid barrier a step are enough
#include <cstdio>
#include <cstdlib>
#include <cooperative_groups.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

namespace cg = cooperative_groups;
__global__ void heat(float* a, float* b, int n, int steps) {
  auto grid = cg::this_grid();
  const int i = int(grid.thread_rank());
  for (int s = 0; s < steps; ++s) {
    if (i > 0 && i < n - 1) b[i] = (a[i - 1] + a[i + 1]) / 2;
    grid.sync();
    float* other = a;
    a = b;
    b = other;
  }
}

int main() {
  const int N = 128;
  int n = N, steps = 10, bad = 0;
  float h[N], r[N], u[N], *a, *b;
  for (int i = 0; i < N; ++i) h[i] = float(i % 9 * 64);
  CK(cudaMalloc(&a, sizeof h));
  CK(cudaMalloc(&b, sizeof h));
  CK(cudaMemcpy(a, h, sizeof h, cudaMemcpyHostToDevice));
  CK(cudaMemcpy(b, h, sizeof h, cudaMemcpyHostToDevice));
  void* args[] = {&a, &b, &n, &steps};
  CK(cudaLaunchCooperativeKernel(heat, dim3(4), dim3(32), args, 0, nullptr));
  CK(cudaMemcpy(r, a, sizeof r, cudaMemcpyDeviceToHost));
  for (int s = 0; s < steps; ++s) {
    for (int i = 0; i < N; ++i) u[i] = i > 0 && i < N - 1 ? (h[i - 1] + h[i + 1]) / 2 : h[i];
    for (int i = 0; i < N; ++i) h[i] = u[i];
  }
  for (int i = 0; i < N; ++i) bad += r[i] != h[i];
  CK(cudaFree(a));
  CK(cudaFree(b));
  std::printf("%s\n", bad ? "FAIL" : "PASS");
  return bad != 0;
}
