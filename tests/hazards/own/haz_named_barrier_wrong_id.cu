// expect: deadlock
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: hang
// row: S8
// why: the consumer waits at another barrier than the one the producer arrives at
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

enum Named { kFull = 1, kEmpty = 2 };
__device__ void wait_for(Named which) {
  asm volatile("bar.sync %0, %1;" ::"r"(int(which)), "r"(64) : "memory");  // @A
}
__device__ void arrive(Named which) {
  asm volatile("bar.arrive %0, %1;" ::"r"(int(which)), "r"(64) : "memory");
}
__global__ void hand_over(int* out) {
  __shared__ int s[32];
  if (threadIdx.x < 32) {
    s[threadIdx.x] = threadIdx.x;
    arrive(kFull);
  } else {
    wait_for(kEmpty);
    out[threadIdx.x - 32] = s[63 - threadIdx.x];
  }
}

int main() {
  int h[32], *d;
  CK(cudaMalloc(&d, sizeof h));
  hand_over<<<1, 64>>>(d);
  CK(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost));
  std::puts(h[0] == 31 ? "PASS" : "FAIL");
  CK(cudaFree(d));
}
