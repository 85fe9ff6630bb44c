// expect: race-global
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: silent
// why: atomicAdd_block is atomic only among threads of one block, yet four blocks share the counter
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void tally(int* counter) {
  atomicAdd_block(counter, 1);  // @A @B
}

int main() {
  int *c, h = 0;
  CK(cudaMalloc(&c, sizeof(int)));
  CK(cudaMemset(c, 0, sizeof(int)));
  tally<<<4, 64>>>(c);
  CK(cudaGetLastError());
  CK(cudaMemcpy(&h, c, sizeof(int), cudaMemcpyDeviceToHost));
  std::printf("counted %d of 256\n", h);
  CK(cudaFree(c));
}
