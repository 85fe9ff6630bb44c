// expect: barrier-divergence
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: core
// also-ok: deadlock
// hw: may-hang
// row: S2
// why: the second warp goes through the loop with the barrier once more than the first, which waits behind it
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void rounds(int* out) {
  __shared__ int s[64];
  const int t = threadIdx.x;
  s[t] = 0;
  for (int i = 0; i < 2 + t / 32; ++i) {
    s[t] += i;
    __syncthreads();  // @A
  }
  __syncthreads();    // @B
  out[t] = s[63 - t];
}

int main() {
  int h[64], *out;
  CK(cudaMalloc(&out, sizeof h));
  rounds<<<1, 64>>>(out);
  CK(cudaGetLastError());
  CK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
  std::printf("out[0] = %d\n", h[0]);
  CK(cudaFree(out));
}
