// expect: race-shared
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: silent
// row: R1
// why: one of eight warps that have read a word is not waited for before it is written
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

// Eight warps read the word; seven of them meet, and then it is used for the next round.
__global__ void next_round(int* out) {
  __shared__ int round;
  const int t = threadIdx.x, warp = t / 32;
  if (t == 0) round = 1;
  __syncthreads();
  out[t] = round;  // @A
  if (warp != 4) asm volatile("bar.sync 2, 224;" ::: "memory");
  if (t == 0) round = 2;  // @B
}

int main() {
  int h[256], *d;
  CK(cudaMalloc(&d, sizeof h));
  next_round<<<1, 256>>>(d);
  CK(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost));
  std::puts(h[3] == 1 ? "PASS" : "FAIL");
  CK(cudaFree(d));
}
