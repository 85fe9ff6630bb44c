// expect: oob-dsmem
// SPDX-License-Identifier: Apache-2.0
// needs: sm_90
// tier: extra
// also-ok: oob-shared
// hw: silent
// row: M5
// why: the rank exists, but the index runs past the neighbour's shared array
#include <cstdio>
#include <cstdlib>
#include <cooperative_groups.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

namespace cg = cooperative_groups;
__global__ void __cluster_dims__(2, 1, 1) shifted(int* out, int by) {
  __shared__ int s[32];
  auto cluster = cg::this_cluster();
  s[threadIdx.x] = threadIdx.x;
  cluster.sync();
  const int* peer = cluster.map_shared_rank(s, cluster.block_rank() ^ 1);
  out[32 * blockIdx.x + threadIdx.x] = peer[threadIdx.x + by];  // @A
  cluster.sync();
}

int main() {
  int* out;
  CK(cudaMalloc(&out, 64 * sizeof(int)));
  shifted<<<2, 32>>>(out, 2);
  CK(cudaGetLastError());
  CK(cudaDeviceSynchronize());
  std::printf("finished\n");
  CK(cudaFree(out));
}
