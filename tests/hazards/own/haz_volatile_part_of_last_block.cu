// expect: race-global
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: silent
// row: R8
// why: the last block to count itself reads volatile parts, and no fence lies before the count
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__device__ int arrived;

__global__ void sum(int* words) {
  volatile int* parts = words + 1;
  if (threadIdx.x != 0) return;
  parts[blockIdx.x] = static_cast<int>(blockIdx.x) + 1;  // @A
  if (atomicAdd(&arrived, 1) != static_cast<int>(gridDim.x) - 1) return;
  __threadfence();
  int all = 0;
  for (unsigned i = 0; i < gridDim.x; ++i) all += parts[i];  // @B
  words[0] = all;
}

int main() {
  int *d, h[9];
  CK(cudaMalloc(&d, sizeof h));
  CK(cudaMemset(d, 0, sizeof h));
  sum<<<8, 32>>>(d);
  CK(cudaGetLastError());
  CK(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost));
  CK(cudaFree(d));
  std::printf("got %d\n", h[0]);
}
