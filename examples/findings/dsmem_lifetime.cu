// SPDX-License-Identifier: Apache-2.0
//
// Block 1 reads the shared memory of block 0, which may have ended; corrected, a cluster barrier keeps it alive.
#include <cooperative_groups.h>
#include <cstdio>
namespace cg = cooperative_groups;

__global__ void __cluster_dims__(2) read_peer(int* out) {
  __shared__ int s[32];
  auto cluster = cg::this_cluster();
  s[threadIdx.x] = 7;
  cluster.sync();
  if (cluster.block_rank() == 1) out[threadIdx.x] = cluster.map_shared_rank(s, 0)[threadIdx.x];  // block 0 may have ended
}

__global__ void __cluster_dims__(2) read_living_peer(int* out) {
  __shared__ int s[32];
  auto cluster = cg::this_cluster();
  s[threadIdx.x] = 7;
  cluster.sync();
  if (cluster.block_rank() == 1) out[threadIdx.x] = cluster.map_shared_rank(s, 0)[threadIdx.x];
  cluster.sync();
}

int main() {
  int* out;
  cudaMalloc(&out, 32 * sizeof(int));
  read_living_peer<<<2, 32>>>(out);
  read_peer<<<2, 32>>>(out);
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
