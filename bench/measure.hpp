// SPDX-License-Identifier: Apache-2.0
// What every benchmark uses: the two clocks, and the loop that calls one launch an iteration.
// CPU time is the whole process's, so that work moved to another thread is not lost; wall time is used where the
// figure is about several workers or about latency. Called by the benchmarks only.
#pragma once

#include <benchmark/benchmark.h>

#include <warpfiber/launch.hpp>

namespace warpfiber::bench {

enum class Clock { cpu, wall };

/// Seconds since some fixed moment.
double now(Clock clock);

/// Ends the benchmark with the report of the launch, unless it went well.
void require(benchmark::State& state, const LaunchResult& result);

/// Ends the benchmark unless the computed values are right.
void require_right(benchmark::State& state, bool right);

/// Runs `work` once uncounted, to touch memory and make threads, then once an iteration. Seconds an iteration took.
template <class Work>
double seconds_of(benchmark::State& state, Clock clock, Work&& work) {
  work();
  const double begin = now(clock);
  for (auto _ : state) work();
  return (now(clock) - begin) / static_cast<double>(state.iterations());
}

inline constexpr double kNanoseconds = 1e9;
inline constexpr double kMicroseconds = 1e6;
inline constexpr double kMilliseconds = 1e3;

}  // namespace warpfiber::bench
