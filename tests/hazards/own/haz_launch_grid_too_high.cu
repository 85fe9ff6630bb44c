// expect: launch-error
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: core
// hw: launch-error
// row: L1
// why: one block a row: more rows than a grid may have in y
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void mark(unsigned char* rows) {
  rows[blockIdx.y] = 1;
}

int main() {
  const int rows = 70000;
  unsigned char* p;
  CK(cudaMalloc(&p, rows));
  mark<<<dim3(1, rows), 1>>>(p);  // @A
  const cudaError_t e = cudaGetLastError();
  std::printf("launch returned %s\n", cudaGetErrorName(e));
  CK(cudaFree(p));
  return e == cudaSuccess;
}
