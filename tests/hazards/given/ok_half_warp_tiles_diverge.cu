// expect: clean
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: core
// hw: ok
// why: two 16-lane tiles of one warp take different branches and run different collectives at the same time
#include <cstdio>
#include <cstdlib>
#include <cooperative_groups.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

namespace cg = cooperative_groups;
__global__ void independent(int* out) {
  auto tile = cg::tiled_partition<16>(cg::this_thread_block());
  int v = threadIdx.x;
  if (tile.meta_group_rank() % 2 == 0) {
    for (int d = 8; d > 0; d /= 2) v += tile.shfl_xor(v, d);
  } else {
    v = __popc(tile.ballot(v % 3 == 0));
    tile.sync();
    v = tile.shfl(v, 3);
  }
  out[threadIdx.x] = v;
}

int main() {
  int h[64], *out, bad = 0;
  CK(cudaMalloc(&out, sizeof h));
  independent<<<1, 64>>>(out);
  CK(cudaGetLastError());
  CK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 64; ++i) {
    const int base = i / 16 * 16;
    int ref = 0;
    for (int k = base; k < base + 16; ++k) ref += i / 16 % 2 ? k % 3 == 0 : k;
    bad += h[i] != ref;
  }
  CK(cudaFree(out));
  std::printf("%s\n", bad ? "FAIL" : "PASS");
  return bad != 0;
}
