// expect: race-shared
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// hw: silent
// row: S5
// why: shuffles and votes of a tile hand over values, and order no memory; its sync() does
#include <cstdio>
#include <cstdlib>
#include <cooperative_groups.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

namespace cg = cooperative_groups;

__global__ void turn(int* out) {
  __shared__ int row[32];
  const auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  row[tile.thread_rank()] = static_cast<int>(tile.thread_rank());  // @A
  const int next = tile.shfl_down(static_cast<int>(tile.thread_rank()), 1);
  out[tile.thread_rank()] = row[31 - tile.thread_rank()] + 0 * next;  // @B
}

int main() {
  int *d, h[32];
  CK(cudaMalloc(&d, sizeof h));
  CK(cudaMemset(d, 0, sizeof h));
  turn<<<1, 32>>>(d);
  CK(cudaGetLastError());
  CK(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost));
  CK(cudaFree(d));
  std::printf("got %d\n", h[0]);
}
