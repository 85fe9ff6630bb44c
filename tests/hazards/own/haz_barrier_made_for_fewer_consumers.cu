// expect: race-shared
// SPDX-License-Identifier: Apache-2.0
// needs: sm_80
// tier: core
// hw: silent
// row: S8
// why: the barrier by which buffers are given back counts two consumer warps of three, and the one between them is left out
#include <cstdio>
#include <cstdlib>
#include <cuda/barrier>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

#pragma nv_diag_suppress static_var_with_dynamic_init
using Barrier = cuda::barrier<cuda::thread_scope_block>;

__global__ void stages(int* out, int rounds) {
  __shared__ Barrier filled, emptied;
  __shared__ int stage[32];
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  if (threadIdx.x == 0) {
    init(&filled, 128);
    init(&emptied, 96);  // the producer's warp and two others
  }
  __syncthreads();
  for (int i = 0; i < rounds; ++i) {
    if (warp == 0) {
      if (i > 0) emptied.arrive_and_wait();
      stage[lane] = 32 * i + lane;  // @A
      (void)filled.arrive();
    } else {
      filled.arrive_and_wait();
      const int value = stage[31 - lane];  // @B
      if (warp != 2) (void)emptied.arrive();
      out[96 * i + threadIdx.x - 32] = value;
    }
  }
}

int main() {
  int h[192], *d;
  CK(cudaMalloc(&d, sizeof h));
  stages<<<1, 128>>>(d, 2);
  CK(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost));
  std::puts(h[0] == 31 ? "PASS" : "FAIL");
  CK(cudaFree(d));
}
