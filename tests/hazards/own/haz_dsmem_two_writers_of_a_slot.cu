// expect: race-dsmem
// SPDX-License-Identifier: Apache-2.0
// needs: sm_90
// tier: core
// hw: silent
// row: R10
// why: every block of the cluster stores its maximum into one slot of rank 0; only one of them can stay
#include <cstdio>
#include <cstdlib>
#include <cooperative_groups.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

namespace cg = cooperative_groups;

__global__ void __cluster_dims__(4, 1, 1) maximum(const int* in, int* out) {
  __shared__ int best;
  auto cluster = cg::this_cluster();
  if (threadIdx.x == 0) best = 0;
  cluster.sync();
  if (threadIdx.x == 0) {
    const int mine = in[cluster.block_rank()];
    int* root = cluster.map_shared_rank(&best, 0);
    *root = mine;  // @A @B
  }
  cluster.sync();
  if (cluster.block_rank() == 0 && threadIdx.x == 0) *out = best;
}

int main() {
  int h[4] = {3, 9, 5, 7}, *in, *out;
  CK(cudaMalloc(&in, sizeof h));
  CK(cudaMalloc(&out, sizeof(int)));
  CK(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
  maximum<<<4, 32>>>(in, out);
  CK(cudaGetLastError());
  CK(cudaMemcpy(h, out, sizeof(int), cudaMemcpyDeviceToHost));
  std::printf("maximum %d\n", h[0]);
  CK(cudaFree(in));
  CK(cudaFree(out));
}
