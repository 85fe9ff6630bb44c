// expect: oob-dsmem
// SPDX-License-Identifier: Apache-2.0
// needs: sm_90
// tier: extra
// also-ok: cg-misuse
// hw: fault
// why: map_shared_rank is asked for rank 5 in a cluster of two blocks
#include <cstdio>
#include <cstdlib>
#include <cooperative_groups.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

namespace cg = cooperative_groups;
__global__ void __cluster_dims__(2, 1, 1) wrong_rank(int* out, int rank) {
  __shared__ int s[32];
  auto cluster = cg::this_cluster();
  s[threadIdx.x] = threadIdx.x;
  cluster.sync();
  const int* peer = cluster.map_shared_rank(s, rank);  // @A
  out[threadIdx.x] = peer[threadIdx.x];                // @B
  cluster.sync();
}

int main() {
  int* out;
  CK(cudaMalloc(&out, 32 * sizeof(int)));
  wrong_rank<<<2, 32>>>(out, 5);
  CK(cudaGetLastError());
  CK(cudaDeviceSynchronize());
  std::printf("finished\n");
  CK(cudaFree(out));
}
