// expect: deadlock
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// also-ok: livelock
// hw: hang
// row: S9
// why: a helper takes the lock that its caller holds
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__device__ void lock(int* l) {
  while (atomicCAS(l, 0, 1) != 0) {  // @A
  }
  __threadfence();
}
__device__ void unlock(int* l) {
  __threadfence();
  atomicExch(l, 0);
}
__device__ void add(int* l, int* sum, int v) {
  lock(l);
  *sum += v;
  unlock(l);
}
__global__ void k(int* l, int* sum) {
  if (threadIdx.x != 0) return;
  lock(l);
  if (*sum == 0) add(l, sum, 1);
  unlock(l);
}
int main() {
  int *p, h = 0;
  CK(cudaMalloc(&p, 2 * sizeof(int)));
  CK(cudaMemset(p, 0, 2 * sizeof(int)));
  k<<<1, 32>>>(p, p + 1);
  CK(cudaMemcpy(&h, p + 1, sizeof(int), cudaMemcpyDeviceToHost));
  std::printf("got %d\n", h);
  CK(cudaFree(p));
}
