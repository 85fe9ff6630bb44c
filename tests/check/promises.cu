// SPDX-License-Identifier: Apache-2.0
// Copies that promise an alignment: one more than the declaration of the array gives, the others no more than that.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>

#include <cuda/barrier>

namespace cg = cooperative_groups;

__global__ void load(const int* in, int* out) {
  __shared__ int lucky[64];
  alignas(16) __shared__ int declared[64];
  __shared__ int4 wide[16];
  __shared__ int unpromised[64];
  extern __shared__ int dynamic[];
  auto block = cg::this_thread_block();
  const auto size = cuda::aligned_size_t<16>(64 * sizeof(int));
  cg::memcpy_async(block, lucky, in, size);
  cg::memcpy_async(block, declared, in, size);
  cg::memcpy_async(block, reinterpret_cast<int*>(wide), in, size);
  cg::memcpy_async(block, dynamic, in, size);
  cg::memcpy_async(block, unpromised, in, 64 * sizeof(int));
  cg::wait(block);
  const int t = threadIdx.x;
  out[t] = lucky[t] + declared[t] + wide[t / 4].x + dynamic[t] + unpromised[t];
}

int main() {
  int *in, *out;
  cudaMalloc(&in, 64 * sizeof(int));
  cudaMalloc(&out, 64 * sizeof(int));
  cudaMemset(in, 0, 64 * sizeof(int));
  load<<<1, 64, 64 * sizeof(int)>>>(in, out);
  return cudaDeviceSynchronize();
}
