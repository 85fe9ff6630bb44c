// expect: barrier-divergence
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// also-ok: deadlock
// hw: hang
// row: S8
// why: producer and consumers give one barrier different numbers of threads
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void exchange(int* out) {
  __shared__ int s;
  if (threadIdx.x < 32) {
    if (threadIdx.x == 0) s = 7;
    asm volatile("bar.arrive 1, 64;" ::: "memory");  // @A
  } else {
    asm volatile("bar.sync 1, 96;" ::: "memory");  // @B
    out[threadIdx.x - 32] = s;
  }
}

int main() {
  int h[64], *d;
  CK(cudaMalloc(&d, sizeof h));
  exchange<<<1, 96>>>(d);
  CK(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost));
  std::puts(h[63] == 7 ? "PASS" : "FAIL");
  CK(cudaFree(d));
}
