// SPDX-License-Identifier: Apache-2.0
//
// A copy is promised an alignment of 16 that the declaration of its destination does not give.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cstdio>
#include <cuda/barrier>
namespace cg = cooperative_groups;

__global__ void fill(const int* in, int* out) {
  __shared__ int tile[256];  // may begin at any multiple of 4
  auto block = cg::this_thread_block();
  cg::memcpy_async(block, tile, in, cuda::aligned_size_t<16>(sizeof tile));
  cg::wait(block);
  out[threadIdx.x] = tile[threadIdx.x];
}

__global__ void fill_aligned(const int* in, int* out) {
  alignas(16) __shared__ int tile[256];
  auto block = cg::this_thread_block();
  cg::memcpy_async(block, tile, in, cuda::aligned_size_t<16>(sizeof tile));
  cg::wait(block);
  out[threadIdx.x] = tile[threadIdx.x];
}

int main() {
  int *in, *out;
  cudaMalloc(&in, 256 * sizeof(int));
  cudaMalloc(&out, 64 * sizeof(int));
  cudaMemset(in, 0, 256 * sizeof(int));
  fill_aligned<<<1, 64>>>(in, out);
  fill<<<1, 64>>>(in, out);
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
