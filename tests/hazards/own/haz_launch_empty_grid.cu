// expect: launch-error
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: launch-error
// row: L1
// why: the number of blocks is computed from a size that happens to be zero
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void k(int* p, int n) {
  if (int(threadIdx.x) < n) p[threadIdx.x] = 1;
}

int main() {
  const int n = 0;
  int* p;
  CK(cudaMalloc(&p, sizeof(int)));
  k<<<(n + 31) / 32, 32>>>(p, n);  // @A
  const cudaError_t e = cudaGetLastError();
  std::printf("launch returned %s\n", cudaGetErrorName(e));
  CK(cudaFree(p));
  return e == cudaSuccess;
}
