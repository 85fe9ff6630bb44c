// SPDX-License-Identifier: Apache-2.0
// The tree reduction every CUDA course begins with: 256 threads, shared memory, a barrier after each of nine steps.
#include <warpfiber/buffer.hpp>
#include <warpfiber/intrinsics/builtins.hpp>
#include <warpfiber/shared.hpp>

#include <algorithm>

#include "measure.hpp"

namespace warpfiber::bench {
namespace {

constexpr unsigned kElements = 1u << 22;
constexpr unsigned kThreads = 256;

__global__ void sum_blocks(const float* in, float* out) {
  auto& partial = shared<float[kThreads], struct partials>();
  const unsigned t = threadIdx.x;
  partial[t] = in[blockIdx.x * blockDim.x + t];
  __syncthreads();
  for (unsigned half = kThreads / 2; half > 0; half /= 2) {
    if (t < half) partial[t] += partial[t + half];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = partial[0];
}

void block_reduce(benchmark::State& state) {
  constexpr unsigned kBlocks = kElements / kThreads;
  Buffer<float> in(kElements);
  Buffer<float> out(kBlocks);
  in.fill(1.0f);
  const double seconds = seconds_of(state, Clock::cpu, [&] {
    require(state, launch({.grid = kBlocks, .block = kThreads, .workers = 1}, sum_blocks, in.data(), out.data()));
  });
  const bool right = std::all_of(out.data(), out.data() + kBlocks, [](float sum) { return sum == kThreads; });
  require_right(state, right);
  state.counters["ns_per_element"] = seconds * kNanoseconds / kElements;
}
BENCHMARK(block_reduce);

}  // namespace
}  // namespace warpfiber::bench
