// expect: race-dsmem
// SPDX-License-Identifier: Apache-2.0
// needs: sm_90
// tier: extra
// hw: silent
// row: R10
// why: each block stores into its neighbour's shared memory, which the neighbour reads behind a barrier of its own
#include <cstdio>
#include <cstdlib>
#include <cooperative_groups.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

namespace cg = cooperative_groups;
__global__ void __cluster_dims__(2, 1, 1) push(int* out) {
  __shared__ int s[64];
  auto cluster = cg::this_cluster();
  s[threadIdx.x] = 0;
  cluster.sync();
  int* peer = cluster.map_shared_rank(s, cluster.block_rank() ^ 1);
  peer[threadIdx.x] = threadIdx.x;                   // @A
  __syncthreads();                                   // needs cluster.sync()
  out[64 * blockIdx.x + threadIdx.x] = s[threadIdx.x];  // @B
  cluster.sync();
}

int main() {
  int h[128], *out, bad = 0;
  CK(cudaMalloc(&out, sizeof h));
  push<<<2, 64>>>(out);
  CK(cudaGetLastError());
  CK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 128; ++i) bad += h[i] != i % 64;
  std::printf("wrong %d\n", bad);
  CK(cudaFree(out));
}
