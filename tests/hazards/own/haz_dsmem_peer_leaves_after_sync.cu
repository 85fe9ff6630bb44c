// expect: dsmem-lifetime
// SPDX-License-Identifier: Apache-2.0
// needs: sm_90
// tier: extra
// hw: fault
// row: R11
// why: a block leaves after the exchange barrier and another one reads its shared memory, also when it has ended long ago
#include <cstdio>
#include <cstdlib>
#include <cooperative_groups.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

namespace cg = cooperative_groups;
__global__ void __cluster_dims__(2, 1, 1) gather(int* out) {
  __shared__ int slot[32];
  auto cluster = cg::this_cluster();
  slot[threadIdx.x] = threadIdx.x;
  cluster.sync();
  if (cluster.block_rank() == 1) return;
  int* far = cluster.map_shared_rank(slot, 1);
  out[threadIdx.x] = far[31 - threadIdx.x];  // @A
}
int main() {
  int h[32], *d;
  CK(cudaMalloc(&d, sizeof h));
  gather<<<2, 32>>>(d);
  CK(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost));
  std::puts(h[0] == 31 ? "PASS" : "FAIL");
  CK(cudaFree(d));
}
