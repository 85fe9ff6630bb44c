// expect: livelock
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// also-ok: deadlock,race-shared
// hw: hang
// watchdog: 4
// row: F2
// why: a thread waits for a plain counter in shared memory, which the compiler may load once
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void k(int* out) {
  __shared__ int count;
  if (threadIdx.x == 0) count = 0;
  __syncthreads();
  if (threadIdx.x == 0) {
    while (count < 32) {  // @A
    }
    out[0] = count;
  } else if (threadIdx.x < 32) {
    atomicAdd(&count, 1);
  }
}
int main() {
  int *p, h;
  CK(cudaMalloc(&p, 64 * sizeof(int)));
  k<<<1, 64>>>(p);
  CK(cudaMemcpy(&h, p, sizeof h, cudaMemcpyDeviceToHost));
  std::printf("%d\n", h);
  CK(cudaFree(p));
}
