// expect: clean
// SPDX-License-Identifier: Apache-2.0
// needs: sm_80
// tier: extra
// hw: ok
// row: S8
// why: the same with a count for every thread that reads, one arrival of which comes after the phase of another barrier has ended
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
    asm volatile("mbarrier.init.shared.b64 [%0], 96;" ::"r"(emptied) : "memory");
  }
  __syncthreads();
  for (int i = 0; i < rounds; ++i) {
    if (warp == 0) {
      if (i > 0) wait(emptied, (i - 1) & 1);
      stage[lane] = 32 * i + lane;
      arrive(filled);
    } else {
      wait(filled, i & 1);
      const int value = stage[31 - lane];
      arrive(emptied);
      out[96 * i + threadIdx.x - 32] = value;
    }
  }
}

int main() {
  int h[480], *d, bad = 0;
  CK(cudaMalloc(&d, sizeof h));
  stages<<<1, 128>>>(d, 5);
  CK(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 480; ++i) bad += h[i] != i / 96 * 32 + 31 - i % 32;
  std::puts(bad == 0 ? "PASS" : "FAIL");
  CK(cudaFree(d));
}
