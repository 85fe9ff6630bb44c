// expect: deadlock
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: hang
// row: S8
// why: a warp without work returns before the numbered barrier that counts it
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__device__ void meet(int id, int threads) {
  asm volatile("bar.sync %0, %1;" : : "r"(id), "r"(threads) : "memory");  // @A
}
__global__ void rows(const int* in, int* out, int n) {
  __shared__ int sums[4];
  const int warp = threadIdx.x / 32;
  if (warp * 32 >= n) return;  // @B
  if (threadIdx.x % 32 == 0) sums[warp] = in[threadIdx.x];
  meet(1, 128);
  if (threadIdx.x == 0) out[0] = sums[0] + sums[1] + sums[2];
}

int main() {
  int *in, *out;
  CK(cudaMalloc(&in, 128 * sizeof(int)));
  CK(cudaMalloc(&out, sizeof(int)));
  CK(cudaMemset(in, 0, 128 * sizeof(int)));
  rows<<<1, 128>>>(in, out, 96);
  CK(cudaDeviceSynchronize());
  std::printf("finished\n");
  CK(cudaFree(in));
  CK(cudaFree(out));
}
