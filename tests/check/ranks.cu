// SPDX-License-Identifier: Apache-2.0
// A tile hands values round in a ring, and relies on ranks that count modulo its size.
#include <cooperative_groups.h>

#include <cstdio>

namespace cg = cooperative_groups;

__global__ void turn(int* out) {
  const auto tile = cg::tiled_partition<8>(cg::this_thread_block());
  const int rank = static_cast<int>(tile.thread_rank());
  out[threadIdx.x] = tile.shfl(rank, rank + 1);
}

int main() {
  int* out = nullptr;
  cudaMallocManaged(&out, 64 * sizeof(int));
  turn<<<1, 64>>>(out);
  cudaDeviceSynchronize();
  int wrong = 0;
  for (int i = 0; i < 64; ++i) wrong += out[i] != (i + 1) % 8;
  std::printf("%d wrong\n", wrong);
  cudaFree(out);
}
