// expect: race-global
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: core
// hw: silent
// row: R12
// why: the host reads a managed variable that a kernel it has not waited for may still change
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__managed__ int hits[4];

__global__ void count(const int* values) {
  atomicAdd(&hits[values[threadIdx.x]], 1);  // @A
}

int main() {
  int h[64], *values;
  for (int i = 0; i < 64; ++i) h[i] = i % 4;
  CK(cudaMalloc(&values, sizeof h));
  CK(cudaMemcpy(values, h, sizeof h, cudaMemcpyHostToDevice));
  count<<<1, 64>>>(values);
  CK(cudaGetLastError());
  const int seen = hits[1] + hits[2];  // @B  cudaDeviceSynchronize() is missing
  CK(cudaDeviceSynchronize());
  std::printf("seen %d\n", seen);
  CK(cudaFree(values));
}
