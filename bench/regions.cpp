// SPDX-License-Identifier: Apache-2.0
// The kernels of block_reduce.cpp, barrier_kernels.cpp and matmul.cpp again, compiled by the drop-in with -fregions:
// their blocks run as loops over the threads. On one worker (main.cpp), CPU time.
#include "regions.hpp"

#include "checked_runs.hpp"
#include "measured_kernels.hpp"

namespace warpfiber::bench {
namespace {

/// Ends the benchmark unless a launch has ended well; its report is on standard error.
void require_end(benchmark::State& state, bool has_ended_well) {
  if (!has_ended_well) state.SkipWithError("the launch failed");
}

void block_reduce(benchmark::State& state) {
  run_block_reduce(state, kThreads, [&](const float* in, float* out, unsigned blocks) {
    require_end(state, sum_blocks_by_regions(in, out, blocks));
  });
}
BENCHMARK(block_reduce)->Name("regions/block_reduce");

template <class Launch>
auto launching(benchmark::State& state, Launch launch) {
  return [&state, launch](const unsigned* in, unsigned* out, unsigned blocks) {
    require_end(state, launch(in, out, blocks));
  };
}

void shuffle_sum(benchmark::State& state) {
  run_groups(state, kThreads, kLanes, launching(state, sum_warps_by_regions), kSummed);
}
BENCHMARK(shuffle_sum)->Name("regions/shuffle_sum");

void scan(benchmark::State& state) {
  run_groups(state, kThreads, kThreads, launching(state, scan_blocks_by_regions), kScanned);
}
BENCHMARK(scan)->Name("regions/scan");

void bitonic(benchmark::State& state) {
  run_groups(state, kThreads, kThreads, launching(state, sort_blocks_by_regions), kSorted);
}
BENCHMARK(bitonic)->Name("regions/bitonic");

void matmul_tiled(benchmark::State& state) {
  run_matmul(state, Clock::cpu, [&](const float* a, const float* b, float* c) {
    require_end(state, multiply_tiles_by_regions(a, b, c, kMatrixSize));
  });
}
BENCHMARK(matmul_tiled)->Name("regions/matmul_tiled");

void matmul_wmma(benchmark::State& state) {
  run_half_matmul(state, [&](const half* a, const half* b, float* c) {
    require_end(state, multiply_fragments_by_regions(a, b, c, kMatrixSize));
  });
}
BENCHMARK(matmul_wmma)->Name("regions/matmul_wmma");

}  // namespace
}  // namespace warpfiber::bench
