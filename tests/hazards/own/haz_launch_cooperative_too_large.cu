// expect: launch-error
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: launch-error
// row: L2
// why: a cooperative launch with one block more than the device can hold at a time
#include <cstdio>
#include <cstdlib>
#include <cooperative_groups.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void k(int* p) {
  cooperative_groups::this_grid().sync();
  if (threadIdx.x == 0) p[blockIdx.x] = 1;
}

int main() {
  cudaDeviceProp prop;
  CK(cudaGetDeviceProperties(&prop, 0));
  int per_sm = 0;
  CK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_sm, k, 256, 0));
  const int blocks = per_sm * prop.multiProcessorCount + 1;
  int* p;
  CK(cudaMalloc(&p, blocks * sizeof(int)));
  void* args[] = {&p};
  const cudaError_t e = cudaLaunchCooperativeKernel(k, dim3(blocks), dim3(256), args, 0, nullptr);  // @A
  std::printf("launch returned %s\n", cudaGetErrorName(e));
  (void)cudaGetLastError();
  CK(cudaFree(p));
  return e == cudaSuccess;
}
