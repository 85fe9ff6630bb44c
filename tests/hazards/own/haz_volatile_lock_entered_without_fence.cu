// expect: race-global
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: silent
// row: R7
// why: the first block has no fence behind the lock, so it may read the sum before it has the lock
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__device__ int taken;

__global__ void add(volatile int* sum) {
  if (threadIdx.x != 0) return;
  while (atomicCAS(&taken, 0, 1) != 0) {
  }
  if (blockIdx.x != 0) __threadfence();
  *sum = *sum + 1;  // @A
  __threadfence();
  atomicExch(&taken, 0);
}

int main() {
  int *d, h[1];
  CK(cudaMalloc(&d, sizeof h));
  CK(cudaMemset(d, 0, sizeof h));
  add<<<2, 32>>>(d);
  CK(cudaGetLastError());
  CK(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost));
  CK(cudaFree(d));
  std::printf("got %d\n", h[0]);
}
