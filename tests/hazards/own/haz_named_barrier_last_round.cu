// expect: deadlock
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: hang
// row: S8
// why: the consumer frees a stage one round too few, and the producer waits for it
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void rounds(int* out, int n) {
  __shared__ int s[32];
  const int lane = threadIdx.x % 32;
  int sum = 0;
  for (int i = 0; i < n; ++i) {
    if (threadIdx.x < 32) {
      s[lane] = i;
      asm volatile("barrier.cta.arrive 1, 64;" ::: "memory");
      asm volatile("barrier.cta.sync 2, 64;" ::: "memory");  // @A
    } else {
      asm volatile("barrier.cta.sync 1, 64;" ::: "memory");
      sum += s[31 - lane];
      if (i + 1 < n) asm volatile("barrier.cta.arrive 2, 64;" ::: "memory");
    }
  }
  if (threadIdx.x >= 32) out[lane] = sum;
}

int main() {
  int h[32], *d;
  CK(cudaMalloc(&d, sizeof h));
  rounds<<<1, 64>>>(d, 3);
  CK(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost));
  std::puts(h[0] == 3 ? "PASS" : "FAIL");
  CK(cudaFree(d));
}
