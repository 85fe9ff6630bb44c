// expect: deadlock
// SPDX-License-Identifier: Apache-2.0
// needs: sm_90
// tier: extra
// also-ok: barrier-divergence,cg-misuse
// hw: hang
// row: S7
// why: half of a block waits for the cluster and the other half for its block
#include <cstdio>
#include <cstdlib>
#include <cooperative_groups.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

namespace cg = cooperative_groups;
__global__ void __cluster_dims__(2, 1, 1) k(int* out) {
  auto cluster = cg::this_cluster();
  if (threadIdx.x < 32) {
    cluster.sync();  // @A
  } else {
    __syncthreads();  // @B
  }
  out[cluster.thread_rank()] = 1;
}
int main() {
  int *p, h;
  CK(cudaMalloc(&p, 128 * sizeof(int)));
  k<<<2, 64>>>(p);
  CK(cudaMemcpy(&h, p + 1, sizeof h, cudaMemcpyDeviceToHost));
  std::printf("%d\n", h);
  CK(cudaFree(p));
}
