// expect: race-global
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: silent
// row: R7
// why: the value is read with the lock held, and written after the lock is free
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__device__ int taken;
__device__ int seen;

__global__ void look(volatile int* state) {
  if (threadIdx.x != 0) return;
  while (atomicCAS(&taken, 0, 1) != 0) {
  }
  __threadfence();
  seen = *state;  // @A
  __threadfence();
  atomicExch(&taken, 0);
  *state = static_cast<int>(blockIdx.x) + 1;  // @B
}

int main() {
  int *d, h[1];
  CK(cudaMalloc(&d, sizeof h));
  CK(cudaMemset(d, 0, sizeof h));
  look<<<3, 32>>>(d);
  CK(cudaGetLastError());
  CK(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost));
  CK(cudaFree(d));
  std::printf("got %d\n", h[0]);
}
