// expect: race-shared
// SPDX-License-Identifier: Apache-2.0
// needs: sm_80
// tier: extra
// hw: silent
// row: R1
// why: a consumer warp arrives at the barrier that gives the slot back before it has read it
#include <cstdio>
#include <cstdlib>
#include <cuda/barrier>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

using Barrier = cuda::barrier<cuda::thread_scope_block>;
#pragma nv_diag_suppress static_var_with_dynamic_init
__global__ void ring(const int* in, int* out, int rounds) {
  __shared__ int slots[2][32];
  __shared__ Barrier full[2], empty[2];
  if (threadIdx.x < 2) {
    init(&full[threadIdx.x], 64);
    init(&empty[threadIdx.x], 64);
  }
  __syncthreads();
  const int lane = threadIdx.x % 32;
  if (threadIdx.x < 32) {
    for (int r = 0; r < rounds; ++r) {
      empty[r % 2].arrive_and_wait();
      slots[r % 2][lane] = in[r * 32 + lane];  // @A
      (void)full[r % 2].arrive();
    }
    return;
  }
  (void)empty[0].arrive();
  (void)empty[1].arrive();
  int sum = 0;
  for (int r = 0; r < rounds; ++r) {
    full[r % 2].arrive_and_wait();
    if (r + 2 < rounds) (void)empty[r % 2].arrive();
    sum += slots[r % 2][31 - lane];  // @B
  }
  out[lane] = sum;
}

int main() {
  int *in, *out;
  CK(cudaMalloc(&in, 5 * 32 * sizeof(int)));
  CK(cudaMalloc(&out, 32 * sizeof(int)));
  CK(cudaMemset(in, 0, 5 * 32 * sizeof(int)));
  ring<<<1, 64>>>(in, out, 5);
  CK(cudaDeviceSynchronize());
  std::printf("finished\n");
  CK(cudaFree(in));
  CK(cudaFree(out));
}
