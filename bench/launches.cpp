// SPDX-License-Identifier: Apache-2.0
// Launches with nothing in them: threads and blocks that do nothing, launches of one thread, and what a process costs
// that has launched and then sleeps.
#include <warpfiber/intrinsics/builtins.hpp>
#include <warpfiber/stream.hpp>

#include <chrono>
#include <thread>

#include "measure.hpp"

namespace warpfiber::bench {
namespace {

__global__ void empty() {}

/// Next to nothing, which does not show in its code.
__global__ void note_call(unsigned* noted) {
  if (noted != nullptr) *noted = 1;
}

void empty_threads(benchmark::State& state) {
  constexpr unsigned kBlocks = 1u << 20;
  constexpr unsigned kThreads = 32;
  const double seconds = seconds_of(state, Clock::wall, [&] {
    require(state, launch({.grid = kBlocks, .block = kThreads, .workers = 2}, note_call, nullptr));
  });
  state.counters["threads_per_s"] = double{kBlocks} * kThreads / seconds;
}
BENCHMARK(empty_threads);

/// Whole grids of blocks that do nothing.
void empty_blocks(benchmark::State& state) {
  constexpr unsigned kBlocks = 1u << 20;
  const auto threads = static_cast<unsigned>(state.range(0));
  const double seconds = seconds_of(
      state, Clock::wall, [&] { require(state, launch<empty>({.grid = kBlocks, .block = threads, .workers = 2})); });
  state.counters["ns_per_block"] = seconds * kNanoseconds / kBlocks;
}
BENCHMARK(empty_blocks)->Arg(1)->Arg(32);

/// A thousand launches that the caller does not wait for, until all of them have returned.
void launches_in_stream(benchmark::State& state) {
  constexpr int kLaunches = 1000;
  Stream stream;
  const double seconds = seconds_of(state, Clock::wall, [&] {
    for (int i = 0; i < kLaunches; ++i) require(state, launch({.stream = stream, .workers = 2}, empty));
    require(state, stream.synchronize());
  });
  state.counters["us_per_launch"] = seconds * kMicroseconds / kLaunches;
}
BENCHMARK(launches_in_stream);

void empty_launch(benchmark::State& state) {
  const double seconds = seconds_of(state, Clock::wall, [&] { require(state, launch({.workers = 2}, empty)); });
  state.counters["us_per_launch"] = seconds * kMicroseconds;
}
BENCHMARK(empty_launch);

void idle(benchmark::State& state) {
  // Long against the last tick of the preemption timer, which still comes a millisecond after the launch.
  constexpr auto kSleep = std::chrono::milliseconds(500);
  double wall = 0;
  double cpu = 0;
  for (auto _ : state) {
    require(state, launch({.grid = 64, .block = 64, .workers = 2}, empty));
    const double wall_before = now(Clock::wall);
    const double cpu_before = now(Clock::cpu);
    std::this_thread::sleep_for(kSleep);
    wall += now(Clock::wall) - wall_before;
    cpu += now(Clock::cpu) - cpu_before;
  }
  state.counters["cpu_percent"] = 100 * cpu / wall;
}
BENCHMARK(idle);

}  // namespace
}  // namespace warpfiber::bench
