// SPDX-License-Identifier: Apache-2.0
//
// A block reads what the other block of its cluster stores; only a cluster barrier orders the two.
#include <cooperative_groups.h>
#include <cstdio>
namespace cg = cooperative_groups;

__global__ void __cluster_dims__(2) exchange(int* out) {
  __shared__ int s[64];
  auto cluster = cg::this_cluster();
  const unsigned rank = cluster.block_rank();
  cluster.sync();
  s[threadIdx.x] = 100 * rank + threadIdx.x;
  __syncthreads();  // orders one block only
  out[blockIdx.x * 64 + threadIdx.x] = cluster.map_shared_rank(s, rank ^ 1)[threadIdx.x];
  cluster.sync();
}

__global__ void __cluster_dims__(2) exchange_in_cluster(int* out) {
  __shared__ int s[64];
  auto cluster = cg::this_cluster();
  const unsigned rank = cluster.block_rank();
  s[threadIdx.x] = 100 * rank + threadIdx.x;
  cluster.sync();
  out[blockIdx.x * 64 + threadIdx.x] = cluster.map_shared_rank(s, rank ^ 1)[threadIdx.x];
  cluster.sync();
}

int main() {
  int* out;
  cudaMalloc(&out, 128 * sizeof(int));
  exchange_in_cluster<<<2, 64>>>(out);
  exchange<<<2, 64>>>(out);
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
