// expect: clean
// SPDX-License-Identifier: Apache-2.0
// needs: sm_80
// tier: extra
// hw: ok
// row: R1
// why: producer and consumer warps pass slots of a ring with a full and an empty barrier each
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
      slots[r % 2][lane] = in[r * 32 + lane];
      (void)full[r % 2].arrive();
    }
    return;
  }
  (void)empty[0].arrive();
  (void)empty[1].arrive();
  int sum = 0;
  for (int r = 0; r < rounds; ++r) {
    full[r % 2].arrive_and_wait();
    sum += slots[r % 2][31 - lane];
    (void)empty[r % 2].arrive();
  }
  out[lane] = sum;
}

int main() {
  int h[5 * 32], *in, *out;
  for (int& v : h) v = 1;
  CK(cudaMalloc(&in, sizeof h));
  CK(cudaMalloc(&out, 32 * sizeof(int)));
  CK(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
  ring<<<1, 64>>>(in, out, 5);
  CK(cudaMemcpy(h, out, 32 * sizeof(int), cudaMemcpyDeviceToHost));
  std::puts(h[0] == 5 && h[31] == 5 ? "PASS" : "FAIL");
  CK(cudaFree(in));
  CK(cudaFree(out));
}
