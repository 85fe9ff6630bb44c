// expect: launch-error
// SPDX-License-Identifier: Apache-2.0
// needs: sm_90
// tier: extra
// hw: launch-error
// row: L1
// why: a cluster of sixteen blocks without the attribute that allows more than eight
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

__global__ void k(int* p) { p[blockIdx.x] = 1; }

int main() {
  int* p;
  CK(cudaMalloc(&p, 16 * sizeof(int)));
  cudaLaunchAttribute shape;
  shape.id = cudaLaunchAttributeClusterDimension;
  shape.val.clusterDim.x = 16;
  shape.val.clusterDim.y = 1;
  shape.val.clusterDim.z = 1;
  cudaLaunchConfig_t config = {};
  config.gridDim = dim3(16);
  config.blockDim = dim3(32);
  config.attrs = &shape;
  config.numAttrs = 1;
  const cudaError_t e = cudaLaunchKernelEx(&config, k, p);  // @A
  std::printf("launch returned %s\n", cudaGetErrorName(e));
  (void)cudaGetLastError();
  CK(cudaFree(p));
  return e == cudaSuccess;
}
