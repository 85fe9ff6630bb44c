// expect: oob-global
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: silent
// row: M1
// why: bins of negative values are counted before the start of a device array
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__device__ unsigned padding_of_bins[4];
__device__ unsigned bins[16];
__global__ void count(const int* values, int n) {
  const int i = threadIdx.x;
  if (i < n) atomicAdd(&bins[values[i] / 4], 1u);  // @A
  if (i == 0) padding_of_bins[0] = 1;
}

int main() {
  int h[32];
  for (int i = 0; i < 32; ++i) h[i] = i - 4;
  int* values;
  CK(cudaMalloc(&values, sizeof h));
  CK(cudaMemcpy(values, h, sizeof h, cudaMemcpyHostToDevice));
  count<<<1, 32>>>(values, 32);
  CK(cudaDeviceSynchronize());
  std::printf("finished\n");
  CK(cudaFree(values));
}
