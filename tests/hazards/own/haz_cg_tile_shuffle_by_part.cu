// expect: cg-misuse
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: extra
// also-ok: bad-mask,deadlock
// hw: may-hang
// row: C2
// why: half of a tile calls its shuffle, the other half has gone on to the next barrier of the tile
#include <cstdio>
#include <cstdlib>
#include <cooperative_groups.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

namespace cg = cooperative_groups;
__global__ void part(int* out) {
  auto tile = cg::tiled_partition<16>(cg::this_thread_block());
  int v = tile.thread_rank();
  if (tile.thread_rank() < 8) v = tile.shfl(v, 3);  // @A
  tile.sync();
  out[threadIdx.x] = v;
}

int main() {
  int h[32], *out;
  CK(cudaMalloc(&out, sizeof h));
  part<<<1, 32>>>(out);
  CK(cudaGetLastError());
  CK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
  std::printf("out[0] = %d\n", h[0]);
  CK(cudaFree(out));
}
