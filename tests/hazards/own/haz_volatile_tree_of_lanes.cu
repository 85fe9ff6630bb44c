// expect: race-shared
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: silent
// row: R2
// why: written for warps in lock-step, as before sm_70: nothing orders the lanes of a warp
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__device__ void fold(volatile int* part, unsigned lane) {
  part[lane] += part[lane + 16];  // @A
  part[lane] += part[lane + 8];
  part[lane] += part[lane + 4];
  part[lane] += part[lane + 2];
  part[lane] += part[lane + 1];
}

__global__ void sum(int* out) {
  __shared__ int part[48];
  part[threadIdx.x] = static_cast<int>(threadIdx.x);
  if (threadIdx.x < 16) part[threadIdx.x + 32] = 0;
  __syncthreads();
  fold(part, threadIdx.x);
  __syncthreads();
  if (threadIdx.x == 0) *out = part[0];
}

int main() {
  int *d, h[1];
  CK(cudaMalloc(&d, sizeof h));
  CK(cudaMemset(d, 0, sizeof h));
  sum<<<1, 32>>>(d);
  CK(cudaGetLastError());
  CK(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost));
  CK(cudaFree(d));
  std::printf("got %d\n", h[0]);
}
