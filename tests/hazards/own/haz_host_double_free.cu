// expect: invalid-free
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: silent
// row: M11
// why: the host frees one allocation twice and does not look at the second result
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

int main() {
  int* p;
  CK(cudaMalloc(&p, 64 * sizeof(int)));
  CK(cudaFree(p));
  const cudaError_t second = cudaFree(p);  // @A
  std::printf("second cudaFree returned %s\n", cudaGetErrorName(second));
}
