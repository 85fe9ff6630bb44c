// SPDX-License-Identifier: Apache-2.0
//
// A user's first program: the sum of each block by warp shuffles and shared memory. It prints the total and what it
// should be, and fails when they differ. The same source compiles with nvcc (tests/nvcc).
#include <warpfiber/warpfiber.hpp>

#include <cstdio>
#include <vector>

__global__ void block_sum(const float* in, float* out, unsigned n) {
  auto& partial = warpfiber::shared<float[32], struct partials>();
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = i < n ? in[i] : 0;
  for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(0xffffffff, v, d);
  if (threadIdx.x % 32 == 0) partial[threadIdx.x / 32] = v;
  __syncthreads();
  if (threadIdx.x >= 32) return;
  v = threadIdx.x < blockDim.x / 32 ? partial[threadIdx.x] : 0;
  for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(0xffffffff, v, d);
  if (threadIdx.x == 0) out[blockIdx.x] = v;
}

int main() {
  constexpr unsigned kBlocks = 64;
  constexpr unsigned kCount = 15000;
  warpfiber::Buffer<float> in(kCount);
  warpfiber::Buffer<float> out(kBlocks);
  in.fill(0.5F);
  auto result = warpfiber::launch({.grid = kBlocks, .block = 256}, block_sum, in.data(), out.data(), kCount);
  if (!result.ok()) return 1;
  float total = 0;
  for (float sum : out.download()) total += sum;
  std::printf("%g of %g\n", static_cast<double>(total), 0.5 * kCount);
  return total == 0.5F * kCount ? 0 : 1;
}
