// expect: clean
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: ok
// row: C7
// why: tiles of 4, 8 and 16 chosen at run time, in a block whose size is no multiple of the warp
#include <cstdio>
#include <cstdlib>
#include <cooperative_groups.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

namespace cg = cooperative_groups;
__global__ void tiles(int* out, unsigned size) {
  auto block = cg::this_thread_block();
  auto tile = cg::tiled_partition(block, size);
  tile.sync();
  out[block.thread_rank()] += tile.thread_rank();
}

int main() {
  int h[48], *out, bad = 0;
  CK(cudaMalloc(&out, sizeof h));
  CK(cudaMemset(out, 0, sizeof h));
  for (unsigned size = 4; size <= 16; size *= 2) tiles<<<1, 48>>>(out, size);
  CK(cudaGetLastError());
  CK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 48; ++i) bad += h[i] != i % 4 + i % 8 + i % 16;
  CK(cudaFree(out));
  std::printf("%s\n", bad ? "FAIL" : "PASS");
  return bad != 0;
}
