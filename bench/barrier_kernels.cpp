// SPDX-License-Identifier: Apache-2.0
// Kernels in which threads do little between meetings, as fibers: the sum of a warp by shuffles, the scan of Hillis and
// Steele, and a bitonic sort.
#include "checked_runs.hpp"
#include "measured_kernels.hpp"

namespace warpfiber::bench {
namespace {

template <class Kernel>
auto launching(benchmark::State& state, Kernel kernel) {
  return [&state, kernel](const unsigned* in, unsigned* out, unsigned blocks) {
    require(state, launch({.grid = blocks, .block = kThreads, .workers = 1}, kernel, in, out));
  };
}

void shuffle_sum(benchmark::State& state) {
  run_groups(state, kThreads, kLanes, launching(state, sum_warps), kSummed);
}
BENCHMARK(shuffle_sum);

void scan(benchmark::State& state) {
  run_groups(state, kThreads, kThreads, launching(state, scan_blocks), kScanned);
}
BENCHMARK(scan);

void bitonic(benchmark::State& state) {
  run_groups(state, kThreads, kThreads, launching(state, sort_blocks), kSorted);
}
BENCHMARK(bitonic);

}  // namespace
}  // namespace warpfiber::bench
