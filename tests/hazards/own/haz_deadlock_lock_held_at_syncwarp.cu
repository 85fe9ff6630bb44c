// expect: deadlock
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// also-ok: livelock,bad-mask
// hw: hang
// row: S9
// why: the lane that got the lock waits for its warp before it lets go, and the others wait for the lock
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void k(int* lock, int* sum) {
  while (atomicCAS(lock, 0, 1) != 0) {  // @A
  }
  *sum += 1;
  __syncwarp();  // @B
  atomicExch(lock, 0);
}
int main() {
  int *p, h;
  CK(cudaMalloc(&p, 2 * sizeof(int)));
  CK(cudaMemset(p, 0, 2 * sizeof(int)));
  k<<<1, 32>>>(p, p + 1);
  CK(cudaMemcpy(&h, p + 1, sizeof h, cudaMemcpyDeviceToHost));
  std::printf("%d\n", h);
  CK(cudaFree(p));
}
