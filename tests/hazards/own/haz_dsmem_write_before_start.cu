// expect: dsmem-lifetime
// SPDX-License-Identifier: Apache-2.0
// needs: sm_90
// tier: extra
// hw: silent
// row: R11
// why: a block writes into the other's shared memory before that one may have started, in several clusters
#include <cstdio>
#include <cstdlib>
#include <cooperative_groups.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

namespace cg = cooperative_groups;
__global__ void __cluster_dims__(2, 1, 1) send(int* out) {
  __shared__ int inbox[32];
  auto cluster = cg::this_cluster();
  int* other = cluster.map_shared_rank(inbox, cluster.block_rank() ^ 1);
  other[threadIdx.x] = 100 * blockIdx.x + threadIdx.x;  // @A
  cluster.sync();
  out[blockIdx.x * 32 + threadIdx.x] = inbox[threadIdx.x];
}

int main() {
  int h[256], *out;
  CK(cudaMalloc(&out, sizeof h));
  send<<<8, 32>>>(out);
  CK(cudaGetLastError());
  CK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
  std::printf("out[3] = %d\n", h[3]);
  CK(cudaFree(out));
}
