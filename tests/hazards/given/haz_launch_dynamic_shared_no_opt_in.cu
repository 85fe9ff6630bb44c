// expect: launch-error
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: launch-error
// why: 64 KiB of dynamic shared memory without raising cudaFuncAttributeMaxDynamicSharedMemorySize
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void k(int* p) {
  extern __shared__ int s[];
  s[threadIdx.x] = 1;
  p[threadIdx.x] = s[threadIdx.x];
}

int main() {
  int* p;
  CK(cudaMalloc(&p, 32 * sizeof(int)));
  k<<<1, 32, 64 * 1024>>>(p);  // @A
  cudaError_t e = cudaGetLastError();
  std::printf("launch returned %s\n", cudaGetErrorName(e));
  CK(cudaFree(p));
  return e == cudaSuccess;
}
