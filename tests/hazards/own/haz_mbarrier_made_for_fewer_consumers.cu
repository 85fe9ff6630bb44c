// expect: race-shared
// SPDX-License-Identifier: Apache-2.0
// needs: sm_80
// tier: extra
// hw: silent
// row: S8
// why: an mbarrier that waits for some of the warps that read, by parity, over several rounds
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__device__ void arrive(unsigned at) {
  asm volatile("{ .reg .b64 state; mbarrier.arrive.shared.b64 state, [%0]; }" ::"r"(at) : "memory");
}
__device__ void wait(unsigned at, unsigned parity) {
  unsigned over = 0;
  while (over == 0) {
    asm volatile("{ .reg .pred p; mbarrier.test_wait.parity.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
                 : "=r"(over)
                 : "r"(at), "r"(parity)
                 : "memory");
  }
}

__global__ void stages(int* out, int rounds) {
  __shared__ unsigned long long words[2];
  __shared__ int stage[32];
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const unsigned filled = static_cast<unsigned>(__cvta_generic_to_shared(&words[0]));
  const unsigned emptied = static_cast<unsigned>(__cvta_generic_to_shared(&words[1]));
  if (threadIdx.x == 0) {
    asm volatile("mbarrier.init.shared.b64 [%0], 32;" ::"r"(filled) : "memory");
    asm volatile("mbarrier.init.shared.b64 [%0], 64;" ::"r"(emptied) : "memory");  // of three warps that read
  }
  __syncthreads();
  for (int i = 0; i < rounds; ++i) {
    if (warp == 0) {
      if (i > 0) wait(emptied, (i - 1) & 1);
      stage[lane] = 32 * i + lane;  // @A
      arrive(filled);
    } else {
      wait(filled, i & 1);
      const int value = stage[31 - lane];  // @B
      if (warp != 2) arrive(emptied);
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
