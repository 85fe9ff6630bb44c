// expect: launch-error
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: launch-error
// row: L1
// why: 65 threads in the z direction of a block, one more than the limit
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void k(int* p) { p[0] = 1; }

int main() {
  int* p;
  CK(cudaMalloc(&p, sizeof(int)));
  k<<<1, dim3(1, 1, 65)>>>(p);  // @A
  const cudaError_t e = cudaGetLastError();
  std::printf("launch returned %s\n", cudaGetErrorName(e));
  CK(cudaFree(p));
  return e == cudaSuccess;
}
