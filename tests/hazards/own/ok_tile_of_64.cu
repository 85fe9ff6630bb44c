// expect: clean
// SPDX-License-Identifier: Apache-2.0
// needs: sm_80
// tier: core
// hw: ok
// row: R5
// why: tiles of two warps exchange values behind their own barrier, in different numbers of rounds
#include <cstdio>
#include <cstdlib>
#include <cooperative_groups.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

#pragma nv_diag_suppress static_var_with_dynamic_init
namespace cg = cooperative_groups;
__global__ void rotate(int* data) {
  __shared__ cg::block_tile_memory<128> memory;
  __shared__ int s[128];
  auto block = cg::this_thread_block(memory);
  auto tile = cg::tiled_partition<64>(block);
  const int t = block.thread_rank(), first = t / 64 * 64;
  for (unsigned i = 0; i < 2 + tile.meta_group_rank(); ++i) {
    s[t] = data[t];
    tile.sync();
    data[t] = s[first + (t + 33) % 64];
    tile.sync();
  }
}

int main() {
  int h[128], *d, bad = 0;
  for (int i = 0; i < 128; ++i) h[i] = i;
  CK(cudaMalloc(&d, sizeof h));
  CK(cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice));
  rotate<<<1, 128>>>(d);
  CK(cudaGetLastError());
  CK(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 128; ++i) bad += h[i] != i / 64 * 64 + (i + 33 * (2 + i / 64)) % 64;
  CK(cudaFree(d));
  std::printf("%s\n", bad ? "FAIL" : "PASS");
  return bad != 0;
}
