// expect: cg-misuse
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: core
// also-ok: bad-mask,deadlock
// hw: may-hang
// row: C2
// why: a reduction over a tile is called by its lanes with work only, the others go on to the tile's barrier
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;
using Tile = cg::thread_block_tile<32>;

__device__ int total(const Tile& tile, int value) {
  return cg::reduce(tile, value, cg::plus<int>());  // @A
}

__global__ void sums(const int* in, int n, int* out) {
  auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  int sum = 0;
  if (i < n) sum = total(tile, in[i]);
  tile.sync();  // @B
  out[i] = sum;
}

int main() {
  int h[64], *in, *out;
  for (int i = 0; i < 64; ++i) h[i] = 1;
  CK(cudaMalloc(&in, sizeof h));
  CK(cudaMalloc(&out, sizeof h));
  CK(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
  sums<<<1, 64>>>(in, 50, out);
  CK(cudaGetLastError());
  std::printf("synchronise: %s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
