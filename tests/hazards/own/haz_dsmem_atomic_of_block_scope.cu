// expect: race-dsmem
// SPDX-License-Identifier: Apache-2.0
// needs: sm_90
// tier: extra
// hw: silent
// row: R9
// why: blocks of a cluster count in rank 0's shared memory with atomics that reach their own block only
#include <cstdio>
#include <cstdlib>
#include <cooperative_groups.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

namespace cg = cooperative_groups;
__global__ void __cluster_dims__(2, 1, 1) count(int* out) {
  __shared__ int n;
  auto cluster = cg::this_cluster();
  if (cluster.block_rank() == 0 && threadIdx.x == 0) n = 0;
  cluster.sync();
  int* there = cluster.map_shared_rank(&n, 0);
  atomicAdd_block(there, 1);  // @A @B
  cluster.sync();
  if (cluster.block_rank() == 0 && threadIdx.x == 0) *out = n;
}
int main() {
  int h = 0, *out;
  CK(cudaMalloc(&out, sizeof h));
  count<<<2, 64>>>(out);
  CK(cudaGetLastError());
  CK(cudaMemcpy(&h, out, sizeof h, cudaMemcpyDeviceToHost));
  std::printf("count = %d\n", h);
  CK(cudaFree(out));
}
