// expect: clean
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: ok
// row: C3
// why: all groups are created by the whole block, some of them are used in branches by whole groups
#include <cstdio>
#include <cstdlib>
#include <cooperative_groups.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

namespace cg = cooperative_groups;
__global__ void split(int* out) {
  auto block = cg::this_thread_block();
  auto tile = cg::tiled_partition<32>(block);
  auto quarter = cg::tiled_partition<8>(tile);
  auto even = cg::binary_partition(tile, tile.thread_rank() % 2 == 0);
  int v = 0;
  if (tile.thread_rank() % 2 == 0) {
    v = even.shfl(int(tile.thread_rank()), 2);
    even.sync();
  }
  if (quarter.meta_group_rank() == 1) v += quarter.any(quarter.thread_rank() == 7) ? 100 : 0;
  block.sync();
  out[threadIdx.x] = v;
}

int main() {
  int h[64], *out, bad = 0;
  CK(cudaMalloc(&out, sizeof h));
  split<<<1, 64>>>(out);
  CK(cudaGetLastError());
  CK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 64; ++i) bad += h[i] != (i % 2 ? 0 : 4) + (i % 32 / 8 == 1 ? 100 : 0);
  CK(cudaFree(out));
  std::printf("%s\n", bad ? "FAIL" : "PASS");
  return bad != 0;
}
