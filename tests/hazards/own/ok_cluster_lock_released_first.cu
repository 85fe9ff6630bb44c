// expect: clean
// SPDX-License-Identifier: Apache-2.0
// needs: sm_90
// tier: extra
// hw: ok
// row: S7
// why: both blocks of a cluster take a lock in distributed shared memory and give it back before the cluster barrier
#include <cstdio>
#include <cstdlib>
#include <cooperative_groups.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

namespace cg = cooperative_groups;
__global__ void __cluster_dims__(2, 1, 1) guarded(int* out) {
  __shared__ int lock, sum;
  auto cluster = cg::this_cluster();
  if (threadIdx.x == 0) lock = sum = 0;
  cluster.sync();
  int* l = cluster.map_shared_rank(&lock, 0);
  int* s = cluster.map_shared_rank(&sum, 0);
  while (atomicCAS(l, 0, 1) != 0) {
  }
  __threadfence();
  *s += threadIdx.x + 1;
  __threadfence();
  atomicExch(l, 0);
  cluster.sync();
  if (cluster.block_rank() == 0 && threadIdx.x == 0) *out = sum;
}

int main() {
  int h = 0, *out;
  CK(cudaMalloc(&out, sizeof h));
  guarded<<<2, 32>>>(out);
  CK(cudaGetLastError());
  CK(cudaMemcpy(&h, out, sizeof h, cudaMemcpyDeviceToHost));
  CK(cudaFree(out));
  std::printf("%s\n", h != 1056 ? "FAIL" : "PASS");
  return h != 1056;
}
