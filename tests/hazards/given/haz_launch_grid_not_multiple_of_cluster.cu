// expect: launch-error
// SPDX-License-Identifier: Apache-2.0
// needs: sm_90
// tier: extra
// hw: launch-error
// why: a grid of 5 blocks with a cluster size of 2
#include <cstdio>
#include <cstdlib>
#include <cooperative_groups.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

namespace cg = cooperative_groups;
__global__ void __cluster_dims__(2, 1, 1) k(int* p) {
  cg::this_cluster().sync();
  if (threadIdx.x == 0) p[blockIdx.x] = 1;
}

int main() {
  int* p;
  CK(cudaMalloc(&p, 5 * sizeof(int)));
  k<<<5, 32>>>(p);  // @A
  cudaError_t e = cudaGetLastError();
  std::printf("launch returned %s\n", cudaGetErrorName(e));
  CK(cudaFree(p));
  return e == cudaSuccess;
}
