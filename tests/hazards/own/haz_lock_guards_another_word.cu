// expect: race-global
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: silent
// row: R7
// why: each block takes the lock of its own account and changes a common total under it
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__device__ void lock(int* l) {
  while (atomicCAS(l, 0, 1) != 0) {
  }
  __threadfence();
}
__device__ void unlock(int* l) {
  __threadfence();
  atomicExch(l, 0);
}
__global__ void k(int* locks, int* total) {
  if (threadIdx.x != 0) return;
  lock(&locks[blockIdx.x % 2]);
  *total += 1;  // @A @B
  unlock(&locks[blockIdx.x % 2]);
}
int main() {
  int *p, h = 0;
  CK(cudaMalloc(&p, 4 * sizeof(int)));
  CK(cudaMemset(p, 0, 4 * sizeof(int)));
  k<<<4, 32>>>(p, p + 2);
  CK(cudaGetLastError());
  CK(cudaMemcpy(&h, p + 2, sizeof(int), cudaMemcpyDeviceToHost));
  std::printf("got %d\n", h);
  CK(cudaFree(p));
}
