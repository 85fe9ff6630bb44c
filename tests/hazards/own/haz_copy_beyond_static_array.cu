// expect: oob-global
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: silent
// row: M1
// why: the second half of a static array has no room for a whole copy
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

static int results[96];

int main() {
  int* d;
  CK(cudaMalloc(&d, 64 * sizeof(int)));
  CK(cudaMemset(d, 0, 64 * sizeof(int)));
  CK(cudaMemcpy(results, d, 64 * sizeof(int), cudaMemcpyDeviceToHost));
  const cudaError_t error = cudaMemcpy(results + 64, d, 64 * sizeof(int), cudaMemcpyDeviceToHost);  // @A
  std::printf("%s %d\n", cudaGetErrorName(error), results[0]);
  CK(cudaFree(d));
}
