// SPDX-License-Identifier: Apache-2.0
//
// The last block of a cluster asks for its right neighbour, which does not exist; corrected, ranks wrap around.
#include <cooperative_groups.h>
#include <cstdio>
namespace cg = cooperative_groups;

__global__ void __cluster_dims__(2) from_right(int* out) {
  __shared__ int s[32];
  auto cluster = cg::this_cluster();
  s[threadIdx.x] = cluster.block_rank();
  cluster.sync();
  const int* right = cluster.map_shared_rank(s, cluster.block_rank() + 1);
  out[blockIdx.x * 32 + threadIdx.x] = right[threadIdx.x];
  cluster.sync();
}

__global__ void __cluster_dims__(2) from_next(int* out) {
  __shared__ int s[32];
  auto cluster = cg::this_cluster();
  s[threadIdx.x] = cluster.block_rank();
  cluster.sync();
  const unsigned next = (cluster.block_rank() + 1) % cluster.num_blocks();
  const int* right = cluster.map_shared_rank(s, next);
  out[blockIdx.x * 32 + threadIdx.x] = right[threadIdx.x];
  cluster.sync();
}

int main() {
  int* out;
  cudaMalloc(&out, 64 * sizeof(int));
  from_next<<<2, 32>>>(out);
  from_right<<<2, 32>>>(out);
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
