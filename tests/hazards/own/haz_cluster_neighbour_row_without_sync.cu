// expect: race-dsmem
// SPDX-License-Identifier: Apache-2.0
// needs: sm_90
// tier: extra
// hw: silent
// row: R10
// why: blocks of a 2-D cluster write into the one beside them, which reads after a barrier of its own only
#include <cooperative_groups.h>
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

namespace cg = cooperative_groups;
__global__ void __cluster_dims__(2, 2, 1) push(int* out) {
  __shared__ int box[32];
  cg::cluster_group cluster = cg::this_cluster();
  const unsigned rank = cluster.block_rank();
  box[threadIdx.x] = -1;
  cluster.sync();
  int* other = cluster.map_shared_rank(box, rank ^ 2);
  other[threadIdx.x] = int(rank * 100 + threadIdx.x);  // @A
  __syncthreads();
  out[(blockIdx.y * gridDim.x + blockIdx.x) * 32 + threadIdx.x] = box[threadIdx.x];  // @B
  cluster.sync();
}

int main() {
  int h[16 * 32], *out;
  CK(cudaMalloc(&out, sizeof h));
  push<<<dim3(4, 4), 32>>>(out);
  CK(cudaGetLastError());
  CK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
  std::printf("%d\n", h[0]);
  CK(cudaFree(out));
  return 0;
}
