// expect: race-dsmem
// SPDX-License-Identifier: Apache-2.0
// needs: sm_90
// tier: extra
// hw: silent
// row: R10
// why: a neighbour still reads the row when its owner writes the next one, with one cluster barrier a round
#include <cstdio>
#include <cstdlib>
#include <cooperative_groups.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

namespace cg = cooperative_groups;
__global__ void __cluster_dims__(2, 1, 1) k(int* out) {
  __shared__ int s[64];
  auto cluster = cg::this_cluster();
  const unsigned r = cluster.block_rank();
  int sum = 0;
  for (int i = 0; i < 3; ++i) {
    s[threadIdx.x] = i;                                            // @B
    cluster.sync();
    sum += cluster.map_shared_rank(s, r ^ 1)[63 - threadIdx.x];    // @A
  }
  cluster.sync();
  out[r * 64 + threadIdx.x] = sum;
}
int main() {
  int *p, h;
  CK(cudaMalloc(&p, 128 * sizeof(int)));
  k<<<2, 64>>>(p);
  CK(cudaGetLastError());
  CK(cudaMemcpy(&h, p + 1, sizeof h, cudaMemcpyDeviceToHost));
  std::printf("%d\n", h);
  CK(cudaFree(p));
}
