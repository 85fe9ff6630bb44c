// expect: oob-shared
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: silent
// row: M2
// why: a block hands the address of its shared array to another one through a flag, and waits until that has read it
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void hand_over(int** slot, int* flag, int* out) {
  __shared__ int mine[8];
  if (threadIdx.x < 8) mine[threadIdx.x] = blockIdx.x + threadIdx.x;
  __syncthreads();
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    *slot = mine;
    __threadfence();
    atomicExch(flag, 1);
    while (atomicAdd(flag, 0) != 2) {
    }
  } else {
    while (atomicAdd(flag, 0) == 0) {
    }
    __threadfence();
    const int* theirs = *slot;
    *out = theirs[3];  // @A
    atomicExch(flag, 2);
  }
}

int main() {
  int **slot, *flag, *out;
  CK(cudaMalloc(&slot, sizeof(int*)));
  CK(cudaMalloc(&flag, sizeof(int)));
  CK(cudaMalloc(&out, sizeof(int)));
  CK(cudaMemset(flag, 0, sizeof(int)));
  hand_over<<<2, 32>>>(slot, flag, out);
  CK(cudaDeviceSynchronize());
}
