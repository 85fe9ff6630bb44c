// expect: cg-misuse
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: core
// also-ok: bad-mask,deadlock
// hw: may-hang
// why: tiled_partition is collective over its parent, yet only half of the parent's threads create the tile
#include <cstdio>
#include <cstdlib>
#include <cooperative_groups.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

namespace cg = cooperative_groups;
__global__ void divergent(int* out) {
  auto block = cg::this_thread_block();
  const int t = block.thread_rank();
  int v = t;
  if (t % 32 < 16) {
    auto tile = cg::tiled_partition<32>(block);  // @A
    tile.sync();                                 // @B
    v = tile.thread_rank();
  }
  block.sync();
  out[t] = v;
}

int main() {
  int h[64], *out;
  CK(cudaMalloc(&out, sizeof h));
  divergent<<<1, 64>>>(out);
  CK(cudaGetLastError());
  CK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
  std::printf("out[0] = %d\n", h[0]);
  CK(cudaFree(out));
}
