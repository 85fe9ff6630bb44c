// expect: clean
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: ok
// row: S8
// why: warp specialisation by inline PTX: a producer warp arrives at a named barrier, a consumer warp waits at it, and back
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__device__ __forceinline__ void named_sync(int id, int threads) {
  asm volatile("bar.sync %0, %1;" ::"r"(id), "r"(threads) : "memory");
}
__device__ __forceinline__ void named_arrive(int id, int threads) {
  asm volatile("bar.arrive %0, %1;" ::"r"(id), "r"(threads) : "memory");
}
constexpr int FULL = 1, FREE = 3, N = 32, ROUNDS = 6;
__global__ void roles(int* out) {
  __shared__ int s[2][N];
  int sum = 0;
  if (threadIdx.x < N) {
    for (int i = 0; i < ROUNDS; ++i) {
      if (i >= 2) named_sync(FREE + i % 2, 2 * N);
      s[i % 2][threadIdx.x] = i;
      named_arrive(FULL + i % 2, 2 * N);
    }
  } else {
    for (int i = 0; i < ROUNDS; ++i) {
      named_sync(FULL + i % 2, 2 * N);
      sum += s[i % 2][2 * N - 1 - threadIdx.x];
      if (i + 2 < ROUNDS) named_arrive(FREE + i % 2, 2 * N);
    }
    out[threadIdx.x - N] = sum;
  }
}

int main() {
  int h[N], *d;
  CK(cudaMalloc(&d, sizeof h));
  roles<<<1, 2 * N>>>(d);
  CK(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost));
  std::puts(h[0] == 15 ? "PASS" : "FAIL");
  CK(cudaFree(d));
}
