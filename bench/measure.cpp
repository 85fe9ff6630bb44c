// SPDX-License-Identifier: Apache-2.0
#include "measure.hpp"

#include <time.h>

namespace warpfiber::bench {

double now(Clock clock) {
  timespec at{};
  clock_gettime(clock == Clock::cpu ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_MONOTONIC, &at);
  return static_cast<double>(at.tv_sec) + 1e-9 * static_cast<double>(at.tv_nsec);
}

void require(benchmark::State& state, const LaunchResult& result) {
  if (!result.ok()) state.SkipWithError(result.message());
}

void require_right(benchmark::State& state, bool right) {
  if (!right) state.SkipWithError("the result is wrong");
}

}  // namespace warpfiber::bench
