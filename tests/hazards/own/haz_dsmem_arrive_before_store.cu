// expect: race-dsmem
// SPDX-License-Identifier: Apache-2.0
// needs: sm_90
// tier: extra
// hw: silent
// row: R10
// why: split cluster barrier, but the value is stored between arrival and wait, where nothing publishes it any more
#include <cstdio>
#include <cstdlib>
#include <cooperative_groups.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

namespace cg = cooperative_groups;
__global__ void __cluster_dims__(2, 1, 1) late(int* out) {
  __shared__ int s[32];
  auto cluster = cg::this_cluster();
  s[threadIdx.x] = 0;
  cluster.sync();
  auto token = cluster.barrier_arrive();
  s[threadIdx.x] = 5 * threadIdx.x;  // @A
  cluster.barrier_wait(static_cast<decltype(token)&&>(token));
  out[32 * blockIdx.x + threadIdx.x] = cluster.map_shared_rank(s, cluster.block_rank() ^ 1)[threadIdx.x];  // @B
  cluster.sync();
}

int main() {
  int h[64], *out, bad = 0;
  CK(cudaMalloc(&out, sizeof h));
  late<<<2, 32>>>(out);
  CK(cudaGetLastError());
  CK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 64; ++i) bad += h[i] != 5 * (i % 32);
  std::printf("wrong %d\n", bad);
  CK(cudaFree(out));
}
