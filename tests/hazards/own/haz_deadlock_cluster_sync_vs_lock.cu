// expect: deadlock
// SPDX-License-Identifier: Apache-2.0
// needs: sm_90
// tier: extra
// also-ok: livelock,barrier-divergence
// hw: hang
// row: S7
// why: the block that holds the lock waits for the cluster, whose other block waits for the lock
#include <cstdio>
#include <cstdlib>
#include <cooperative_groups.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

namespace cg = cooperative_groups;
__global__ void __cluster_dims__(2, 1, 1) guarded(int* lock, int* turn) {
  auto cluster = cg::this_cluster();
  if (cluster.block_rank() == 0) {
    atomicExch(lock, 1);
    atomicExch(turn, 1);
    cluster.sync();                          // @A
    atomicExch(lock, 0);
  } else {
    while (atomicAdd(turn, 0) == 0) {
    }
    while (atomicCAS(lock, 0, 1) != 0) {     // @B
    }
    atomicExch(lock, 0);
    cluster.sync();
  }
}

int main() {
  int* words;
  CK(cudaMalloc(&words, 2 * sizeof(int)));
  CK(cudaMemset(words, 0, 2 * sizeof(int)));
  guarded<<<2, 1>>>(words, words + 1);
  CK(cudaGetLastError());
  CK(cudaDeviceSynchronize());
  std::printf("finished\n");
  CK(cudaFree(words));
}
