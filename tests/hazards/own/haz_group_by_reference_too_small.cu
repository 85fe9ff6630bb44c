// expect: race-shared
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: core
// hw: silent
// row: R5
// why: a block-wide sum is written for any group; it is called with a tile of 32 in a block of 64
#include <cstdio>
#include <cstdlib>
#include <cooperative_groups.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

namespace cg = cooperative_groups;

template <typename Group>
__device__ int sum(const Group& group, int* scratch, int value, int threads) {
  scratch[threadIdx.x] = value;  // @A
  group.sync();
  int total = 0;
  for (int i = 0; i < threads; ++i) total += scratch[i];  // @B
  group.sync();
  return total;
}

__global__ void add(const int* in, int* out) {
  __shared__ int scratch[64];
  auto block = cg::this_thread_block();
  auto tile = cg::tiled_partition<32>(block);
  out[threadIdx.x] = sum(tile, scratch, in[threadIdx.x], int(block.size()));
}

int main() {
  int h[64], *in, *out;
  for (int i = 0; i < 64; ++i) h[i] = i;
  CK(cudaMalloc(&in, sizeof h));
  CK(cudaMalloc(&out, sizeof h));
  CK(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
  add<<<1, 64>>>(in, out);
  CK(cudaGetLastError());
  CK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
  std::printf("sum %d\n", h[0]);
  CK(cudaFree(in));
  CK(cudaFree(out));
}
