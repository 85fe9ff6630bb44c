// expect: dsmem-lifetime
// SPDX-License-Identifier: Apache-2.0
// needs: sm_90
// tier: extra
// hw: silent
// row: R11
// why: bins that are spread over a cluster are read from other blocks after its last barrier
#include <cstdio>
#include <cstdlib>
#include <cooperative_groups.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

namespace cg = cooperative_groups;
template <int kBinsOfBlock>
__global__ void __cluster_dims__(2, 1, 1) histogram(const int* in, int n, int* out) {
  __shared__ int bins[kBinsOfBlock];
  auto cluster = cg::this_cluster();
  for (int b = threadIdx.x; b < kBinsOfBlock; b += blockDim.x) bins[b] = 0;
  cluster.sync();
  for (int i = cluster.thread_rank(); i < n; i += cluster.num_threads()) {
    const int bin = in[i];
    atomicAdd(cluster.map_shared_rank(bins, bin / kBinsOfBlock) + bin % kBinsOfBlock, 1);
  }
  cluster.sync();
  if (cluster.block_rank() == 0) {
    for (int b = threadIdx.x; b < 2 * kBinsOfBlock; b += blockDim.x) {
      const int* part = cluster.map_shared_rank(bins, b / kBinsOfBlock);
      out[b] = part[b % kBinsOfBlock];  // @A
    }
  }
}

int main() {
  int h[100], *in, *out;
  for (int i = 0; i < 100; ++i) h[i] = (i * 7) % 24;
  CK(cudaMalloc(&in, sizeof h));
  CK(cudaMalloc(&out, 24 * sizeof(int)));
  CK(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
  histogram<12><<<2, 32>>>(in, 100, out);
  CK(cudaDeviceSynchronize());
  std::printf("finished\n");
  CK(cudaFree(in));
  CK(cudaFree(out));
}
