// expect: clean
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: ok
// row: C2
// why: tiles are handed to helpers; one tile of the warp reduces, the other scans by shuffles, in branches that split the tiles only
#include <cstdio>
#include <cstdlib>
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

namespace cg = cooperative_groups;
template <class Tile>
__device__ int scan(const Tile& tile, int v) {
  for (unsigned d = 1; d < tile.size(); d *= 2) {
    const int add = tile.shfl_up(v, d);
    if (tile.thread_rank() >= d) v += add;
  }
  return v;
}
__global__ void roles(int* out) {
  auto tile = cg::tiled_partition<16>(cg::this_thread_block());
  const int v = int(tile.thread_rank());
  out[threadIdx.x] =
      tile.meta_group_rank() % 2 ? scan(tile, v) : cg::reduce(tile, v, cg::plus<int>());
}

int main() {
  int h[64], *out, bad = 0;
  CK(cudaMalloc(&out, sizeof h));
  roles<<<1, 64>>>(out);
  CK(cudaGetLastError());
  CK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 64; ++i) {
    const int r = i % 16;
    bad += h[i] != (i / 16 % 2 ? r * (r + 1) / 2 : 120);
  }
  CK(cudaFree(out));
  std::printf("%s\n", bad ? "FAIL" : "PASS");
  return bad != 0;
}
