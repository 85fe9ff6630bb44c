// SPDX-License-Identifier: Apache-2.0
// Mistakes with groups that only CG_DEBUG makes a finding of (debugged_partitions.cu); else the program runs on.
#include <cooperative_groups.h>

#include <cstdio>
#include <cstring>

namespace cg = cooperative_groups;

__global__ void made_in_branch(int* out) {
  const auto block = cg::this_thread_block();
  if (block.thread_rank() < 32) {
    const auto tile = cg::tiled_partition<16>(block);
    out[block.thread_rank()] = tile.shfl(1, 0);
  }
  __syncthreads();
}

__global__ void made_by_half_a_tile(int* out) {
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  if (warp.thread_rank() >= 16) out[threadIdx.x % 32] = cg::tiled_partition<8>(warp).any(1);
  __syncthreads();
}

__global__ void pieces_in_branch(int* out) {
  const auto block = cg::this_thread_block();
  if (block.thread_rank() >= 32) out[block.thread_rank() - 32] = static_cast<int>(cg::tiled_partition(block, 4).size());
  __syncthreads();
}

__global__ void asked_by_one_block(int* out) {
  if (blockIdx.x == 0) out[threadIdx.x] = static_cast<int>(cg::this_grid().num_blocks());
}

__global__ void asked_by_one_warp(int* out) {
  if (threadIdx.x < 32) out[threadIdx.x] = static_cast<int>(cg::this_cluster().num_blocks());
  __syncthreads();
}

__global__ void too_many_threads(int* out) {
  __shared__ cg::block_tile_memory<128> memory;
  const auto block = cg::this_thread_block(memory);
  out[threadIdx.x % 32] = cg::tiled_partition<64>(block).any(1);
}

int main(int count, char** names) {
  int* out = nullptr;
  cudaMalloc(&out, 256 * sizeof(int));
  const auto asked = [&](const char* name) { return count < 2 || std::strcmp(names[1], name) == 0; };
  if (asked("branch")) made_in_branch<<<1, 64>>>(out);
  if (asked("half")) made_by_half_a_tile<<<1, 64>>>(out);
  if (asked("pieces")) pieces_in_branch<<<1, 64>>>(out);
  void* arguments[] = {&out};
  if (asked("grid")) {
    cudaLaunchCooperativeKernel(reinterpret_cast<void*>(asked_by_one_block), dim3(2), dim3(64), arguments, 0, nullptr);
  }
  if (asked("cluster")) asked_by_one_warp<<<1, 64>>>(out);
  if (asked("memory")) too_many_threads<<<1, 256>>>(out);
  std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
