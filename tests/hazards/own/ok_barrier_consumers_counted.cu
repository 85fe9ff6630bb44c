// expect: clean
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: ok
// row: R1
// why: the barrier by which a slot is given back counts all warps that read it
#include <cstdio>
#include <cstdlib>
#include <cuda/barrier>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

using Barrier = cuda::barrier<cuda::thread_scope_block>;
__global__ void feed(int* out) {
  __shared__ Barrier filled, used;
  __shared__ int slot[32];
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  if (threadIdx.x == 0) {
    init(&filled, 160);
    init(&used, 160);
  }
  __syncthreads();
  for (int round = 0; round < 3; ++round) {
    if (warp == 0) {
      if (round > 0) used.arrive_and_wait();
      slot[lane] = 32 * round + lane;
      (void)filled.arrive();
    } else {
      filled.arrive_and_wait();
      const int value = slot[31 - lane];
      (void)used.arrive();
      out[(4 * round + warp - 1) * 32 + lane] = value;
    }
  }
}

int main() {
  int h[384], *d;
  CK(cudaMalloc(&d, sizeof h));
  feed<<<1, 160>>>(d);
  CK(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost));
  std::puts(h[383] == 64 ? "PASS" : "FAIL");
  CK(cudaFree(d));
}
