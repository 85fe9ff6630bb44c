// expect: dsmem-lifetime
// SPDX-License-Identifier: Apache-2.0
// needs: sm_90
// tier: extra
// hw: silent
// row: R11
// why: the first thing a block does is to store into its neighbour's shared memory, which may not exist yet
#include <cstdio>
#include <cstdlib>
#include <cooperative_groups.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

namespace cg = cooperative_groups;
__global__ void __cluster_dims__(2, 1, 1) greet(int* out) {
  __shared__ int s[32];
  auto cluster = cg::this_cluster();
  cluster.map_shared_rank(s, cluster.block_rank() ^ 1)[threadIdx.x] = threadIdx.x;  // @A
  cluster.sync();
  out[32 * blockIdx.x + threadIdx.x] = s[threadIdx.x];
}

int main() {
  int h[64], *out;
  CK(cudaMalloc(&out, sizeof h));
  greet<<<2, 32>>>(out);
  CK(cudaGetLastError());
  CK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
  std::printf("out[63] = %d\n", h[63]);
  CK(cudaFree(out));
}
