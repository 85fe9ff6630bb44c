// expect: race-global
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: core
// hw: silent
// row: R12
// why: the host refills a pinned buffer for the next round while the kernel of this round may still read it
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void sum(const int* in, int* out) {
  atomicAdd(out, in[threadIdx.x]);  // @A
}

int main() {
  int *in, *out, h;
  CK(cudaMallocHost(&in, 64 * sizeof(int)));
  CK(cudaMalloc(&out, sizeof(int)));
  CK(cudaMemset(out, 0, sizeof(int)));
  for (int round = 0; round < 2; ++round) {
    for (int i = 0; i < 64; ++i) in[i] = i + round;  // @B
    sum<<<1, 64>>>(in, out);
    CK(cudaGetLastError());
  }
  CK(cudaMemcpy(&h, out, sizeof h, cudaMemcpyDeviceToHost));
  std::printf("sum %d\n", h);
  CK(cudaFreeHost(in));
  CK(cudaFree(out));
}
