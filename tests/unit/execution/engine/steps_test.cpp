// SPDX-License-Identifier: Apache-2.0
// Steps of a warp, which translated programs make where they rely on lock-step: lanes exchange values between them on
// every schedule, and nobody waits for a lane that does not come.
#include <vector>

#include "support/launches.hpp"

using namespace warpfiber;
using namespace warpfiber::test;

namespace {

void step() {
  detail::step_with_warp(Site::here());
}

/// Inclusive sums of each warp's numbers, by lanes that leave one after the other.
void scan_warps(int* sums) {
  WARPFIBER_SHARED(int[1024], s);
  const unsigned t = threadIdx.x;
  const unsigned lane = t % static_cast<unsigned>(warpSize);
  s[t] = static_cast<int>(t) + 1;
  step();
  for (unsigned distance = 1; distance < static_cast<unsigned>(warpSize); distance *= 2) {
    if (lane >= distance) {
      const int sum = s[t] + s[t - distance];
      step();
      s[t] = sum;
    }
    step();
  }
  sums[blockIdx.x * blockDim.x + t] = s[t];
}

}  // namespace

TEST_CASE("lanes exchange values between steps on every schedule, in warps of any size") {
  const Way way = every_way();
  const unsigned size = GENERATE(16U, 32U, 64U);
  const unsigned threads = GENERATE(1U, 32U, 33U, 64U, 100U, 256U, 1000U);
  const char* const convergence = GENERATE("full", "random", "none");
  CAPTURE(way, size, threads, convergence);
  std::vector<int> sums(3 * threads);
  LaunchConfig config = way.apply({.grid = 3, .block = threads});
  config.warp_size = size;
  config.convergence = convergence;
  good_launch(config, scan_warps, sums.data());
  for (unsigned i = 0; i < sums.size(); ++i) {
    const unsigned t = i % threads;
    const unsigned first = t / size * size;
    REQUIRE(sums[i] == static_cast<int>((t + 1) * (t + 2) / 2 - first * (first + 1) / 2));
  }
}

TEST_CASE("a step waits for no lane that waits elsewhere, spins or has returned") {
  const Way way = every_way();
  CAPTURE(way);
  int flag = 0;
  int seen = 0;
  good_launch(way.apply({.block = 64}), [&flag, &seen] {
    const unsigned t = threadIdx.x;
    if (t % 32 >= 24) return;
    if (t < 8) {
      step();
      step();
      if (t == 0) atomicExch(&flag, 1);
    } else if (t < 16) {
      while (atomicAdd(&flag, 0) == 0) {
      }
      atomicAdd(&seen, 1);
    }
    __syncthreads();
    step();
  });
  CHECK(seen == 8);
}
