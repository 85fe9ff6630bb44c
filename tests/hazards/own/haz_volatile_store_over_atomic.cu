// expect: race-global
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: silent
// row: R4
// why: the store of one thread overwrites what the atomic of another has stored, or the other way round
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void settle(int* word) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x % 2 == 0) {
    atomicExch(word, static_cast<int>(blockIdx.x));
  } else {
    *static_cast<volatile int*>(word) = static_cast<int>(blockIdx.x);  // @A
  }
}

int main() {
  int *d, h[1];
  CK(cudaMalloc(&d, sizeof h));
  CK(cudaMemset(d, 0, sizeof h));
  settle<<<6, 32>>>(d);
  CK(cudaGetLastError());
  CK(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost));
  CK(cudaFree(d));
  std::printf("got %d\n", h[0]);
}
