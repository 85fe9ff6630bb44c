// expect: dsmem-lifetime
// SPDX-License-Identifier: Apache-2.0
// needs: sm_90
// tier: extra
// hw: silent
// row: R11
// why: the counting block's shared memory is added to atomically, with nothing that keeps that block alive
#include <cstdio>
#include <cstdlib>
#include <cooperative_groups.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

namespace cg = cooperative_groups;
__global__ void __cluster_dims__(2, 1, 1) count(int* out) {
  __shared__ int n;
  auto cluster = cg::this_cluster();
  if (threadIdx.x == 0) n = 0;
  cluster.sync();
  if (cluster.block_rank() == 1)
    atomicAdd(cluster.map_shared_rank(&n, 0), 1);  // @A
  if (threadIdx.x == 0) out[blockIdx.x] = 1;
}

int main() {
  int h[2], *out;
  CK(cudaMalloc(&out, sizeof h));
  count<<<2, 32>>>(out);
  CK(cudaGetLastError());
  CK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
  std::printf("out[0] = %d\n", h[0]);
  CK(cudaFree(out));
}
