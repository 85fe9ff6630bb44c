// expect: deadlock
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: core
// also-ok: livelock
// hw: hang
// why: hand-written grid barrier in an ordinary launch with one block more than the device can hold
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void barrier(unsigned* arrived) {
  extern __shared__ int pad[];
  if (threadIdx.x == 0) {
    pad[0] = 0;
    __threadfence();
    atomicAdd(arrived, 1u);
    while (atomicAdd(arrived, 0u) < gridDim.x) {  // @A  resident blocks wait for one that cannot start
    }
  }
  __syncthreads();
}

int main() {
  cudaDeviceProp p;
  CK(cudaGetDeviceProperties(&p, 0));
  const int smem = int(p.sharedMemPerBlockOptin);  // one block per multiprocessor
  CK(cudaFuncSetAttribute(barrier, cudaFuncAttributeMaxDynamicSharedMemorySize, smem));
  int per_sm = 0;
  CK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_sm, barrier, 32, smem));
  const int blocks = per_sm * p.multiProcessorCount + 1;
  unsigned* arrived;
  CK(cudaMalloc(&arrived, sizeof(unsigned)));
  CK(cudaMemset(arrived, 0, sizeof(unsigned)));
  barrier<<<blocks, 32, smem>>>(arrived);
  CK(cudaGetLastError());
  CK(cudaDeviceSynchronize());
  std::printf("finished\n");
  CK(cudaFree(arrived));
}
