// expect: clean
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: ok
// row: S8
// why: the same number
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__device__ void sync_at(int id, int threads) {
  asm volatile("bar.sync %0, %1;" : : "r"(id), "r"(threads) : "memory");
}
__global__ void exchange(int* out) {
  __shared__ int s;
  if (threadIdx.x < 32) {
    if (threadIdx.x == 0) s = 7;
    asm volatile("bar.arrive 1, 96;" ::: "memory");
  } else {
    sync_at(1, 96);
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
