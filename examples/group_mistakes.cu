// SPDX-License-Identifier: Apache-2.0
//
// Two mistakes with cooperative groups.
//   group_mistakes nested | divergent
#include <cooperative_groups.h>

#include <cstdio>
#include <string>
#include <utility>
namespace cg = cooperative_groups;

__global__ void nested(int* out) {
  __shared__ int s[64];
  auto block = cg::this_thread_block();
  s[threadIdx.x] = threadIdx.x;
  auto token = block.barrier_arrive();
  block.sync();
  block.barrier_wait(std::move(token));
  out[threadIdx.x] = s[63 - threadIdx.x];
}

__global__ void divergent() {
  auto block = cg::this_thread_block();
  if (threadIdx.x % 32 < 16) {
    auto tile = cg::tiled_partition<32>(block);
    tile.sync();
  }
  block.sync();
}

int main(int argc, char** argv) {
  int* out;
  cudaMalloc(&out, 64 * sizeof(int));
  if (argc > 1 && std::string(argv[1]) == "nested") nested<<<1, 64>>>(out);
  if (argc > 1 && std::string(argv[1]) == "divergent") divergent<<<1, 64>>>();
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
