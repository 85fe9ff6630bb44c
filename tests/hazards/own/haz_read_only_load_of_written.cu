// expect: race-global
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: silent
// row: R12
// why: __ldg() of what the same kernel has written before a barrier, which its cache need not show
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void mirror(int* p) {
  const int i = threadIdx.x;
  p[i] = i;  // @A
  __syncthreads();
  const int other = __ldg(&p[63 - i]);  // @B
  p[64 + i] = other;
}

int main() {
  int* p;
  CK(cudaMalloc(&p, 128 * sizeof(int)));
  mirror<<<1, 64>>>(p);
  CK(cudaGetLastError());
  CK(cudaDeviceSynchronize());
  CK(cudaFree(p));
}
