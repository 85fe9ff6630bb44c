// expect: barrier-divergence
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: core
// hw: ok
// row: S5
// why: threads without work return before grid.sync(), which all threads of the grid have to call
#include <cstdio>
#include <cstdlib>
#include <cooperative_groups.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

namespace cg = cooperative_groups;

__global__ void neighbours(int* data, int* out, int n) {
  auto grid = cg::this_grid();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;  // @B
  data[i] = i;
  grid.sync();  // @A
  out[i] = data[(i + 1) % n];
}

int main() {
  int n = 100, h[100], *data, *out, bad = 0;
  CK(cudaMalloc(&data, sizeof h));
  CK(cudaMalloc(&out, sizeof h));
  void* arguments[] = {&data, &out, &n};
  CK(cudaLaunchCooperativeKernel(neighbours, dim3(2), dim3(64), arguments));
  CK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
  for (int i = 0; i < n; ++i) bad += h[i] != (i + 1) % n;
  CK(cudaFree(data));
  CK(cudaFree(out));
  std::printf("%s\n", bad ? "FAIL" : "PASS");
  return bad != 0;
}
