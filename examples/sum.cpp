// SPDX-License-Identifier: Apache-2.0
//
// A kernel of the native interface, in ordinary C++: the sums of 64 blocks, by shuffles in each warp.
#include <warpfiber/warpfiber.hpp>

#include <cstdio>

__global__ void block_sum(const float* in, float* out, unsigned n) {
  auto& partial = warpfiber::shared<float[32], struct partials>();  // one instance per block
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = i < n ? in[i] : 0;
  for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(0xffffffff, v, d);
  if (threadIdx.x % 32 == 0) partial[threadIdx.x / 32] = v;
  __syncthreads();
  if (threadIdx.x < 32) {
    v = threadIdx.x < blockDim.x / 32 ? partial[threadIdx.x] : 0;
    for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(0xffffffff, v, d);
    if (threadIdx.x == 0) out[blockIdx.x] = v;
  }
}

int main() {
  const unsigned n = 64 * 256;
  warpfiber::Buffer<float> in(n), out(64);
  in.fill(1);
  auto result = warpfiber::launch({.grid = 64, .block = 256}, block_sum, in.data(), out.data(), n);
  std::printf("%s, first sum %g\n", warpfiber::error_name(result.error()), out.download()[0]);
}
