// expect: deadlock
// SPDX-License-Identifier: Apache-2.0
// needs: sm_90
// tier: extra
// also-ok: livelock,barrier-divergence
// hw: hang
// why: rank 0 waits in cluster.sync() for rank 1, which spins on a flag rank 0 sets only afterwards
#include <cstdio>
#include <cstdlib>
#include <cooperative_groups.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

namespace cg = cooperative_groups;
__global__ void __cluster_dims__(2, 1, 1) cycle(int* flag) {
  auto cluster = cg::this_cluster();
  if (cluster.block_rank() == 0) {
    cluster.sync();                       // @A
    if (threadIdx.x == 0) atomicExch(flag, 1);
  } else {
    while (atomicAdd(flag, 0) == 0) {     // @B
    }
    cluster.sync();
  }
}

int main() {
  int* flag;
  CK(cudaMalloc(&flag, sizeof(int)));
  CK(cudaMemset(flag, 0, sizeof(int)));
  cycle<<<2, 32>>>(flag);
  CK(cudaGetLastError());
  CK(cudaDeviceSynchronize());
  std::printf("finished\n");
  CK(cudaFree(flag));
}
