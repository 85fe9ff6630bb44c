// expect: oob-dsmem
// SPDX-License-Identifier: Apache-2.0
// needs: sm_90
// tier: extra
// also-ok: cg-misuse
// hw: fault
// row: M5
// why: every block asks for its right neighbour's shared memory, and the last one has none
#include <cstdio>
#include <cstdlib>
#include <cooperative_groups.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

namespace cg = cooperative_groups;
__global__ void __cluster_dims__(4, 1, 1) from_right(int* out) {
  __shared__ int s[32];
  auto cluster = cg::this_cluster();
  s[threadIdx.x] = cluster.block_rank();
  cluster.sync();
  const int* right = cluster.map_shared_rank(s, cluster.block_rank() + 1);  // @A
  out[32 * blockIdx.x + threadIdx.x] = right[threadIdx.x];                  // @B
  cluster.sync();
}

int main() {
  int* out;
  CK(cudaMalloc(&out, 128 * sizeof(int)));
  from_right<<<4, 32>>>(out);
  CK(cudaGetLastError());
  CK(cudaDeviceSynchronize());
  std::printf("finished\n");
  CK(cudaFree(out));
}
