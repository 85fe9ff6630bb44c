// expect: use-after-free
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: core
// also-ok: oob-global
// hw: fault
// why: the buffer is freed before the launch that writes it
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void fill(int* p) {
  p[threadIdx.x] = threadIdx.x;  // @A
}

int main() {
  int* p;
  CK(cudaMalloc(&p, 64 * sizeof(int)));
  CK(cudaFree(p));
  fill<<<1, 64>>>(p);
  CK(cudaGetLastError());
  CK(cudaDeviceSynchronize());
  std::printf("finished\n");
}
