// expect: race-global
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: silent
// row: R7
// why: two blocks may both find the lock free before either takes it
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__device__ volatile int taken;

__global__ void add(int* sum) {
  if (threadIdx.x != 0) return;
  while (taken != 0) {  // @A
  }
  taken = static_cast<int>(blockIdx.x) + 1;  // @B
  __threadfence();
  atomicAdd(sum, 1);
  __threadfence();
  taken = 0;
}

int main() {
  int *d, h[1];
  CK(cudaMalloc(&d, sizeof h));
  CK(cudaMemset(d, 0, sizeof h));
  add<<<3, 32>>>(d);
  CK(cudaGetLastError());
  CK(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost));
  CK(cudaFree(d));
  std::printf("got %d\n", h[0]);
}
