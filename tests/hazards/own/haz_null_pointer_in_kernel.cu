// expect: oob-global
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: core
// hw: fault
// row: M14
// why: an optional output is null and the kernel does not ask
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void fill(int* p, int* count) {
  p[threadIdx.x] = 1;
  if (threadIdx.x == 3) *count = 4;  // @A
}

int main() {
  int* p;
  CK(cudaMalloc(&p, 32 * sizeof(int)));
  fill<<<1, 32>>>(p, nullptr);
  CK(cudaGetLastError());
  CK(cudaDeviceSynchronize());
  std::printf("finished\n");
  CK(cudaFree(p));
}
