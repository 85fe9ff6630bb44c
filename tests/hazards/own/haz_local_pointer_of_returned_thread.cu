// expect: local-escape
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: silent
// row: M13
// why: a thread hands over the address of a local array, sets the flag and returns before the other one reads
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void hand_over(int** slot, int* flag, int* out) {
  int mine[2] = {int(threadIdx.x) + 5, 7};
  if (threadIdx.x == 0) {
    *slot = mine;
    __threadfence();
    atomicExch(flag, 1);
    return;
  }
  while (atomicAdd(flag, 0) == 0) {
  }
  __threadfence();
  const int* theirs = *slot;
  *out = theirs[0];  // @A
}

int main() {
  int **slot, *flag, *out;
  CK(cudaMalloc(&slot, sizeof(int*)));
  CK(cudaMalloc(&flag, sizeof(int)));
  CK(cudaMalloc(&out, sizeof(int)));
  CK(cudaMemset(flag, 0, sizeof(int)));
  hand_over<<<1, 2>>>(slot, flag, out);
  CK(cudaDeviceSynchronize());
}
