// expect: deadlock
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// also-ok: livelock
// hw: hang
// row: F3
// why: every block waits for the block with the next index, and there are more blocks than fit on the device
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void chain(volatile int* flags) {
  extern __shared__ char pad[];
  if (threadIdx.x != 0) return;
  pad[0] = 1;
  if (blockIdx.x + 1 < gridDim.x) {
    while (flags[blockIdx.x + 1] == 0) {  // @A
    }
  }
  flags[blockIdx.x] = 1;
}

int main() {
  cudaDeviceProp p;
  CK(cudaGetDeviceProperties(&p, 0));
  const int smem = int(p.sharedMemPerBlockOptin);  // one block per multiprocessor
  CK(cudaFuncSetAttribute(chain, cudaFuncAttributeMaxDynamicSharedMemorySize, smem));
  const int blocks = p.multiProcessorCount + 2;
  int* flags;
  CK(cudaMalloc(&flags, blocks * sizeof(int)));
  CK(cudaMemset(flags, 0, blocks * sizeof(int)));
  chain<<<blocks, 32, smem>>>(flags);
  CK(cudaGetLastError());
  CK(cudaDeviceSynchronize());
  std::printf("finished\n");
  CK(cudaFree(flags));
}
