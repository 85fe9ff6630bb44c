// expect: cg-misuse
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// also-ok: bad-mask,deadlock
// hw: may-hang
// row: C3
// why: a tile is partitioned inside a branch that only its even lanes take
#include <cstdio>
#include <cstdlib>
#include <cooperative_groups.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

namespace cg = cooperative_groups;
__global__ void split(int* out) {
  auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  const int lane = tile.thread_rank();
  int v = lane;
  if (lane % 2 == 0) {
    auto low = cg::binary_partition(tile, lane < 10);  // @A
    v = low.size();
  }
  tile.sync();
  out[lane] = v;
}

int main() {
  int h[32], *out;
  CK(cudaMalloc(&out, sizeof h));
  split<<<1, 32>>>(out);
  CK(cudaGetLastError());
  CK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
  std::printf("out[0] = %d\n", h[0]);
  CK(cudaFree(out));
}
