// expect: cg-misuse
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// also-ok: bad-mask,deadlock
// hw: may-hang
// row: C3
// why: a tile is partitioned by label in a loop that its lanes leave one after the other
#include <cstdio>
#include <cstdlib>
#include <cooperative_groups.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

namespace cg = cooperative_groups;
__global__ void k(int* out) {
  auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  int n = 0;
  for (int i = 0; i < static_cast<int>(tile.thread_rank()) / 8 + 1; ++i) {
    auto part = cg::labeled_partition(tile, i % 2);  // @A
    n += part.size();
  }
  tile.sync();  // @B
  out[threadIdx.x] = n;
}
int main() {
  int *p, h;
  CK(cudaMalloc(&p, 64 * sizeof(int)));
  k<<<1, 32>>>(p);
  CK(cudaMemcpy(&h, p + 1, sizeof h, cudaMemcpyDeviceToHost));
  std::printf("%d\n", h);
  CK(cudaFree(p));
}
