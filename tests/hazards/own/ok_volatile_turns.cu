// expect: clean
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: ok
// row: R8
// why: each thread waits for its own turn, and the word alone is what they hand over
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void rounds(volatile int* turn) {
  const int me = static_cast<int>(blockIdx.x);
  if (threadIdx.x != 0) return;
  for (int round = 0; round < 3; ++round) {
    const int mine = round * static_cast<int>(gridDim.x) + me;
    while (*turn != mine) {
    }
    *turn = mine + 1;
  }
}

int main() {
  int *d, h[1];
  CK(cudaMalloc(&d, sizeof h));
  CK(cudaMemset(d, 0, sizeof h));
  rounds<<<3, 32>>>(d);
  CK(cudaGetLastError());
  CK(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost));
  CK(cudaFree(d));
  std::printf("%s\n", h[0] == 9 ? "PASS" : "FAIL");
  return !(h[0] == 9);
}
