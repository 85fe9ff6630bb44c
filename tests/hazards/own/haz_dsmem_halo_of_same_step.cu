// expect: race-dsmem
// SPDX-License-Identifier: Apache-2.0
// needs: sm_90
// tier: extra
// hw: silent
// row: R10
// why: halo pushed into the neighbour's buffer of the same step it still reads
#include <cstdio>
#include <cstdlib>
#include <cooperative_groups.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

namespace cg = cooperative_groups;
__global__ void __cluster_dims__(4, 1, 1) ring(int* out) {
  __shared__ int halo[2][32];
  cg::cluster_group cluster = cg::this_cluster();
  const unsigned next = (cluster.block_rank() + 1) % cluster.num_blocks();
  int v = cluster.block_rank();
  halo[0][threadIdx.x] = v;
  halo[1][threadIdx.x] = v;
  cluster.sync();
  for (int i = 0; i < 4; ++i) {
    int* to = cluster.map_shared_rank(halo[0], next);
    to[threadIdx.x] = v;  // @A
    cluster.sync();
    v = halo[0][threadIdx.x];  // @B
  }
  out[blockIdx.x * 32 + threadIdx.x] = v;
  cluster.sync();
}

int main() {
  int h[128], *d;
  CK(cudaMalloc(&d, sizeof h));
  ring<<<4, 32>>>(d);
  CK(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost));
  std::puts(h[40] == 1 ? "PASS" : "FAIL");
  CK(cudaFree(d));
}
