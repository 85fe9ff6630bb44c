// expect: dsmem-lifetime
// SPDX-License-Identifier: Apache-2.0
// needs: sm_90
// tier: core
// hw: fault
// why: block 1 reads block 0's shared memory with nothing keeping block 0 from having exited
#include <cstdio>
#include <cstdlib>
#include <cooperative_groups.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

namespace cg = cooperative_groups;
__global__ void __cluster_dims__(2, 1, 1) read_peer(int* out) {
  __shared__ int s[32];
  auto cluster = cg::this_cluster();
  s[threadIdx.x] = 7;
  cluster.sync();
  if (cluster.block_rank() == 1) {
    out[threadIdx.x] = cluster.map_shared_rank(s, 0)[threadIdx.x];  // @A
  }
}  // block 0 may be gone: a cluster.sync() is missing here

int main() {
  int h[32], *out;
  CK(cudaMalloc(&out, sizeof h));
  read_peer<<<2, 32>>>(out);
  CK(cudaGetLastError());
  CK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
  std::printf("got %d\n", h[0]);
  CK(cudaFree(out));
}
