// expect: race-global
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: silent
// row: R7
// why: the first block stores a parameter that the other blocks of the same launch read
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__device__ int scale;
__global__ void apply(int* a, int s) {
  if (blockIdx.x == 0 && threadIdx.x == 0) scale = s;  // @A
  __syncthreads();
  a[blockIdx.x * 32 + threadIdx.x] *= scale;           // @B
}

int main() {
  int h[128], *a;
  for (int i = 0; i < 128; ++i) h[i] = 1;
  CK(cudaMalloc(&a, sizeof h));
  CK(cudaMemcpy(a, h, sizeof h, cudaMemcpyHostToDevice));
  apply<<<4, 32>>>(a, 3);
  CK(cudaGetLastError());
  CK(cudaMemcpy(h, a, sizeof h, cudaMemcpyDeviceToHost));
  std::printf("a[127] = %d\n", h[127]);
  CK(cudaFree(a));
}
