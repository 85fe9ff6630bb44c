// expect: oob-global
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: silent
// row: M1
// why: a copy reads more of a local array than there is
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

int main() {
  int h[32], *d;
  for (int& each : h) each = 1;
  CK(cudaMalloc(&d, 64 * sizeof(int)));
  const cudaError_t error = cudaMemcpy(d, h, 64 * sizeof(int), cudaMemcpyHostToDevice);  // @A
  std::printf("%s %d\n", cudaGetErrorName(error), h[3]);
  CK(cudaFree(d));
}
