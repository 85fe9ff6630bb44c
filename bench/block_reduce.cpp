// SPDX-License-Identifier: Apache-2.0
// The tree reduction every CUDA course begins with, as fibers: 256 threads, shared memory, nine barriers.
#include "checked_runs.hpp"
#include "measured_kernels.hpp"

namespace warpfiber::bench {
namespace {

void block_reduce(benchmark::State& state) {
  run_block_reduce(state, kThreads, [&](const float* in, float* out, unsigned blocks) {
    require(state, launch({.grid = blocks, .block = kThreads, .workers = 1}, sum_blocks, in, out));
  });
}
BENCHMARK(block_reduce);

}  // namespace
}  // namespace warpfiber::bench
