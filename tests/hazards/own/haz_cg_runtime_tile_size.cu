// expect: cg-misuse
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// also-ok: trap
// hw: fault
// row: C7
// why: tiled_partition with a size of 24, which is no power of two
#include <cstdio>
#include <cstdlib>
#include <cooperative_groups.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

namespace cg = cooperative_groups;
__global__ void tiles(int* out, unsigned size) {
  auto block = cg::this_thread_block();
  auto tile = cg::tiled_partition(block, size);  // @A
  out[block.thread_rank()] = tile.thread_rank();
}

int main() {
  int* out;
  CK(cudaMalloc(&out, 48 * sizeof(int)));
  tiles<<<1, 48>>>(out, 24);
  CK(cudaGetLastError());
  CK(cudaDeviceSynchronize());
  std::printf("finished\n");
  CK(cudaFree(out));
}
