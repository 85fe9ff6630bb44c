// expect: deadlock
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// also-ok: livelock
// hw: hang
// row: S6
// why: a grid barrier of count and generation in a launch with one block more than the device holds at a time
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void rounds(unsigned* count, volatile unsigned* generation) {
  extern __shared__ char pad[];
  if (threadIdx.x != 0) return;
  pad[0] = 1;
  const unsigned mine = *generation;
  __threadfence();
  if (atomicAdd(count, 1u) == gridDim.x - 1) {
    *count = 0;
    __threadfence();
    *generation = mine + 1;
  } else {
    while (*generation == mine) {  // @A
    }
  }
  __threadfence();
}

int main() {
  cudaDeviceProp p;
  CK(cudaGetDeviceProperties(&p, 0));
  const int smem = int(p.sharedMemPerBlockOptin);  // one block per multiprocessor
  CK(cudaFuncSetAttribute(rounds, cudaFuncAttributeMaxDynamicSharedMemorySize, smem));
  unsigned* words;
  CK(cudaMalloc(&words, 2 * sizeof(unsigned)));
  CK(cudaMemset(words, 0, 2 * sizeof(unsigned)));
  rounds<<<p.multiProcessorCount + 1, 32, smem>>>(words, words + 1);
  CK(cudaGetLastError());
  CK(cudaDeviceSynchronize());
  std::printf("finished\n");
  CK(cudaFree(words));
}
