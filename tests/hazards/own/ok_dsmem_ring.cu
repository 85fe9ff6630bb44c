// expect: clean
// SPDX-License-Identifier: Apache-2.0
// needs: sm_90
// tier: core
// hw: ok
// row: R10
// why: values go round a ring of four blocks through two buffers each, one split cluster barrier a step
#include <cstdio>
#include <cstdlib>
#include <cooperative_groups.h>
#include <utility>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

namespace cg = cooperative_groups;
__global__ void __cluster_dims__(4, 1, 1) ring(int* out) {
  __shared__ int s[2][32];
  auto cluster = cg::this_cluster();
  const unsigned rank = cluster.block_rank(), t = threadIdx.x;
  s[0][t] = int(100 * rank + t);
  cluster.sync();
  int work = 0;
  for (unsigned i = 0; i < 3; ++i) {
    int* next = cluster.map_shared_rank(s[(i + 1) % 2], (rank + 1) % 4);
    next[t] = s[i % 2][t] + 1;
    auto token = cluster.barrier_arrive();
    work += int(i);
    cluster.barrier_wait(std::move(token));
  }
  out[32 * blockIdx.x + t] = s[1][t] + work;
}

int main() {
  int h[128], *out, bad = 0;
  CK(cudaMalloc(&out, sizeof h));
  ring<<<4, 32>>>(out);
  CK(cudaGetLastError());
  CK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 128; ++i) bad += h[i] != 100 * ((i / 32 + 1) % 4) + i % 32 + 6;
  CK(cudaFree(out));
  std::printf("%s\n", bad ? "FAIL" : "PASS");
  return bad != 0;
}
