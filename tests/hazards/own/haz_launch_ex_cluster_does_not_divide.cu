// expect: launch-error
// SPDX-License-Identifier: Apache-2.0
// needs: sm_90
// tier: core
// hw: launch-error
// row: L1
// why: cudaLaunchKernelEx with a cluster of four and a grid of six blocks
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void fill(int* p) {
  p[blockIdx.x] = 1;
}

int main() {
  int* p;
  CK(cudaMalloc(&p, 6 * sizeof(int)));
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(6);
  config.blockDim = dim3(1);
  cudaLaunchAttribute attribute{};
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim.x = 4;
  attribute.val.clusterDim.y = 1;
  attribute.val.clusterDim.z = 1;
  config.attrs = &attribute;
  config.numAttrs = 1;
  const cudaError_t e = cudaLaunchKernelEx(&config, fill, p);  // @A
  std::printf("launch returned %s\n", cudaGetErrorName(e));
  CK(cudaFree(p));
  return e == cudaSuccess;
}
