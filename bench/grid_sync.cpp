// SPDX-License-Identifier: Apache-2.0
// The largest cooperative grid an H200 takes, every one of its threads alive at once. A launch is 20 grid barriers on
// stacks that an earlier launch has made; what making them costs is the extra counter first_launch_ms. Memory is the
// peak of the whole process.
#include <warpfiber/intrinsics/builtins.hpp>
#include <warpfiber/intrinsics/grid.hpp>

#include <fstream>
#include <string>

#include "measure.hpp"

namespace warpfiber::bench {
namespace {

constexpr unsigned kThreads = 1024;
constexpr unsigned kBarriers = 20;

__global__ void grid_barriers(unsigned rounds) {
  for (unsigned i = 0; i < rounds; ++i) sync_grid();
}

/// Forgets the highest resident size so far (proc(5), /proc/[pid]/clear_refs).
void reset_peak() {
  std::ofstream("/proc/self/clear_refs") << 5;
}

/// Highest resident size since then, in millions of bytes.
double peak_mb() {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;) {
    if (word != "VmHWM:") continue;
    double kib = 0;
    status >> kib;
    return kib * 1024 / 1e6;
  }
  return 0;
}

/// A worker keeps the stacks of its last launch; the launch after the next small one gives back what is too much.
void give_back_stacks() {
  for (int i = 0; i < 2; ++i) launch({.workers = 1}, grid_barriers, 0u);
}

void grid_sync(benchmark::State& state) {
  const auto threads = static_cast<unsigned>(state.range(0));
  const LaunchConfig config{.grid = threads / kThreads, .block = kThreads, .cooperative = true, .workers = 1};
  const auto run = [&] { require(state, launch(config, grid_barriers, kBarriers)); };
  give_back_stacks();
  reset_peak();
  const double begin = now(Clock::cpu);
  run();
  state.counters["first_launch_ms"] = (now(Clock::cpu) - begin) * kMilliseconds;
  const double seconds = seconds_of(state, Clock::cpu, run);
  state.counters["ns_per_thread"] = seconds * kNanoseconds / (double{kBarriers} * threads);
  state.counters["peak_mb"] = peak_mb();
  give_back_stacks();
}
BENCHMARK(grid_sync)->Arg(132 * 2048);

}  // namespace
}  // namespace warpfiber::bench
