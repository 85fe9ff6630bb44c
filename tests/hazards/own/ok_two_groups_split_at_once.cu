// expect: clean
// SPDX-License-Identifier: Apache-2.0
// needs: sm_90
// tier: extra
// hw: ok
// row: S10
// why: the split barriers of the block and of its cluster are open at the same time; they are two groups
#include <cstdio>
#include <cstdlib>
#include <cooperative_groups.h>
#include <utility>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

namespace cg = cooperative_groups;
__global__ void __cluster_dims__(2, 1, 1) overlapping(int* out) {
  __shared__ int s[64];
  auto block = cg::this_thread_block();
  auto cluster = cg::this_cluster();
  const int t = block.thread_rank();
  s[t] = t + 100 * cluster.block_rank();
  auto all = cluster.barrier_arrive();
  auto own = block.barrier_arrive();
  block.barrier_wait(std::move(own));
  int v = s[63 - t];
  cluster.barrier_wait(std::move(all));
  v += cluster.map_shared_rank(s, 1 - cluster.block_rank())[t];
  cluster.sync();
  out[64 * blockIdx.x + t] = v;
}

int main() {
  int h[128], *out, bad = 0;
  CK(cudaMalloc(&out, sizeof h));
  overlapping<<<2, 64>>>(out);
  CK(cudaGetLastError());
  CK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
  for (int v : h) bad += v != 163;
  CK(cudaFree(out));
  std::printf("%s\n", bad ? "FAIL" : "PASS");
  return bad != 0;
}
