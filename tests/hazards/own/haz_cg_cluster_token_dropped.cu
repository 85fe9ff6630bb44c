// expect: cg-misuse
// SPDX-License-Identifier: Apache-2.0
// needs: sm_90
// tier: extra
// also-ok: race-dsmem,dsmem-lifetime
// hw: silent
// row: C5
// why: the block ends with its arrival at the cluster's barrier still open
#include <cstdio>
#include <cstdlib>
#include <cooperative_groups.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

namespace cg = cooperative_groups;
__global__ void __cluster_dims__(2, 1, 1) dropped(int* out) {
  auto cluster = cg::this_cluster();
  out[32 * blockIdx.x + threadIdx.x] = cluster.block_rank();
  (void)cluster.barrier_arrive();  // @A
}

int main() {
  int h[64], *out;
  CK(cudaMalloc(&out, sizeof h));
  dropped<<<2, 32>>>(out);
  CK(cudaGetLastError());
  CK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
  std::printf("out[63] = %d\n", h[63]);
  CK(cudaFree(out));
}
