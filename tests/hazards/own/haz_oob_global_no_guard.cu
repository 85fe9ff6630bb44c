// expect: oob-global
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: silent
// row: M1
// why: the grid is rounded up to whole blocks and the kernel has no guard for the last one
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void fill(short* p) {
  p[blockIdx.x * blockDim.x + threadIdx.x] = 1;  // @A
}

int main() {
  const int n = 5000;
  short* p;
  CK(cudaMalloc(&p, n * sizeof(short)));
  fill<<<(n + 255) / 256, 256>>>(p);
  CK(cudaGetLastError());
  CK(cudaDeviceSynchronize());
  std::printf("finished\n");
  CK(cudaFree(p));
}
