// expect: launch-error
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: core
// hw: launch-error
// row: L1
// why: the kernel promises at most 128 threads a block, the launch asks for 256
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void __launch_bounds__(128) fill(int* p) {
  p[blockIdx.x * blockDim.x + threadIdx.x] = 1;
}

int main() {
  int* p;
  CK(cudaMalloc(&p, 256 * sizeof(int)));
  fill<<<1, 256>>>(p);  // @A
  const cudaError_t e = cudaGetLastError();
  std::printf("launch returned %s\n", cudaGetErrorName(e));
  CK(cudaFree(p));
  return e == cudaSuccess;
}
