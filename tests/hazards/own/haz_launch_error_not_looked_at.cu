// expect: launch-error
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: core
// hw: launch-error
// row: L3
// why: the launch is refused, nobody asks, and the program goes on with what was there before
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void fill(int* p) { p[threadIdx.x] = 1; }

int main() {
  int h[4], *p;
  CK(cudaMalloc(&p, 4096 * sizeof(int)));
  CK(cudaMemset(p, 0, 4096 * sizeof(int)));
  fill<<<1, 4096>>>(p);  // @A
  CK(cudaMemcpy(h, p, sizeof h, cudaMemcpyDeviceToHost));
  std::printf("h[0] = %d\n", h[0]);
  CK(cudaFree(p));
}
