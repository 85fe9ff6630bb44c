// expect: clean
// SPDX-License-Identifier: Apache-2.0
// needs: sm_90
// tier: extra
// hw: ok
// why: cluster barrier split around private work, used both to publish and to hold the peers alive
#include <cstdio>
#include <cstdlib>
#include <cooperative_groups.h>
#include <utility>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

namespace cg = cooperative_groups;
__global__ void __cluster_dims__(2, 1, 1) split(int* out) {
  __shared__ int s[32];
  auto cluster = cg::this_cluster();
  const unsigned rank = cluster.block_rank();
  s[threadIdx.x] = 50 * rank + threadIdx.x;
  auto published = cluster.barrier_arrive();
  int own = threadIdx.x * threadIdx.x;
  cluster.barrier_wait(std::move(published));
  const int v = cluster.map_shared_rank(s, rank ^ 1)[threadIdx.x];
  auto done = cluster.barrier_arrive();
  out[blockIdx.x * 32 + threadIdx.x] = v + own;
  cluster.barrier_wait(std::move(done));
}

int main() {
  int h[64], *out, bad = 0;
  CK(cudaMalloc(&out, sizeof h));
  split<<<2, 32>>>(out);
  CK(cudaGetLastError());
  CK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 64; ++i) bad += h[i] != 50 * (i < 32) + i % 32 + (i % 32) * (i % 32);
  CK(cudaFree(out));
  std::printf("%s\n", bad ? "FAIL" : "PASS");
  return bad != 0;
}
