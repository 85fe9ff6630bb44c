// expect: launch-error
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: launch-error
// why: 2048 threads per block
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void k(int* p) { p[0] = 1; }

int main() {
  int* p;
  CK(cudaMalloc(&p, sizeof(int)));
  k<<<1, 2048>>>(p);  // @A
  cudaError_t e = cudaGetLastError();
  std::printf("launch returned %s\n", cudaGetErrorName(e));
  CK(cudaFree(p));
  return e == cudaSuccess;  // InvalidConfiguration or InvalidValue, by toolkit version
}
