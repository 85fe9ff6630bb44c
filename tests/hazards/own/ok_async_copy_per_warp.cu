// expect: clean
// SPDX-License-Identifier: Apache-2.0
// needs: sm_80
// tier: extra
// hw: ok
// row: A6
// why: each warp copies its own tile and waits for it as a tile; warps never meet
#include <cstdio>
#include <cstdlib>
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

namespace cg = cooperative_groups;
__global__ void load(const int* in, int* out) {
  __shared__ int s[4][32];
  auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  const int warp = tile.meta_group_rank(), lane = tile.thread_rank();
  for (int i = 0; i <= warp; ++i) {
    cg::memcpy_async(tile, s[warp], in + 32 * i, sizeof s[0]);
    cg::wait(tile);
    out[32 * warp + lane] += s[warp][31 - lane];
    tile.sync();
  }
}

int main() {
  int h[128], r[128], *in, *out, bad = 0;
  for (int i = 0; i < 128; ++i) h[i] = i;
  CK(cudaMalloc(&in, sizeof h));
  CK(cudaMalloc(&out, sizeof h));
  CK(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
  CK(cudaMemset(out, 0, sizeof h));
  load<<<1, 128>>>(in, out);
  CK(cudaGetLastError());
  CK(cudaMemcpy(r, out, sizeof r, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 128; ++i) {
    int want = 0;
    for (int k = 0; k <= i / 32; ++k) want += 32 * k + 31 - i % 32;
    bad += r[i] != want;
  }
  CK(cudaFree(in));
  CK(cudaFree(out));
  std::printf("%s\n", bad ? "FAIL" : "PASS");
  return bad != 0;
}
