// expect: race-dsmem
// SPDX-License-Identifier: Apache-2.0
// needs: sm_90
// tier: core
// also-ok: uninit-shared
// hw: silent
// why: peer block's shared memory is read after __syncthreads; only cluster.sync() orders two blocks
#include <cstdio>
#include <cstdlib>
#include <cooperative_groups.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

namespace cg = cooperative_groups;
__global__ void __cluster_dims__(2, 1, 1) exchange(int* out) {
  __shared__ int s[64];
  auto cluster = cg::this_cluster();
  const unsigned rank = cluster.block_rank();
  cluster.sync();                       // both blocks are resident from here on
  s[threadIdx.x] = 100 * rank + threadIdx.x;  // @A
  __syncthreads();                      // wrong scope
  const int* peer = cluster.map_shared_rank(s, rank ^ 1);
  out[blockIdx.x * 64 + threadIdx.x] = peer[threadIdx.x];  // @B
  cluster.sync();                       // keep the peer alive until the reads are done
}

int main() {
  int h[128], *out;
  CK(cudaMalloc(&out, sizeof h));
  exchange<<<2, 64>>>(out);
  CK(cudaGetLastError());
  CK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
  int bad = 0;
  for (int i = 0; i < 128; ++i) bad += h[i] != 100 * (i < 64) + i % 64;
  std::printf("wrong %d\n", bad);
  CK(cudaFree(out));
}
