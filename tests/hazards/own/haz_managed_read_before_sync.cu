// expect: race-global
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: core
// hw: silent
// row: R12
// why: the host reads managed memory while the kernel that writes it may still run
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void fill(int* p) {
  p[threadIdx.x] = 7;  // @A
}

int main() {
  int* p;
  CK(cudaMallocManaged(&p, 64 * sizeof(int)));
  for (int i = 0; i < 64; ++i) p[i] = 0;
  fill<<<1, 64>>>(p);
  CK(cudaGetLastError());
  const int seen = p[63];  // @B  cudaDeviceSynchronize() is missing
  CK(cudaDeviceSynchronize());
  std::printf("seen %d\n", seen);
  CK(cudaFree(p));
}
