// SPDX-License-Identifier: Apache-2.0
// Warps of up to 64 lanes by CUDA's own functions: compiled with WARPFIBER_WIDE_WARPS, in a program of its own, because
// masks are of another type in the other tests.
#include <warpfiber/warpfiber.hpp>

#include <bit>
#include <cstdint>
#include <vector>

#include "support/launches.hpp"

using namespace warpfiber;

namespace {

constexpr unsigned kThreads = 150;

struct Seen {
  std::uint64_t active, ballot, matching, below;
  unsigned sum, from_first, from_next;
};

void look(Seen* out) {
  const LaneBits all = __activemask();
  const unsigned lane = threadIdx.x % static_cast<unsigned>(warpSize);
  Seen& seen = out[threadIdx.x];
  seen.active = all;
  seen.ballot = __ballot_sync(all, lane % 2 == 1);
  seen.matching = __match_any_sync(all, lane % 3);
  seen.below = __lanemask_lt();
  seen.sum = __reduce_add_sync(all, lane);
  seen.from_first = __shfl_sync(all, threadIdx.x, 0);
  seen.from_next = __shfl_down_sync(all, threadIdx.x, 1);
  __syncwarp(all);
}

}  // namespace

TEST_CASE("CUDA's functions take and return masks of 64 lanes") {
  for (const unsigned size : {64U, 33U, 32U, 16U, 7U}) {
    CAPTURE(size);
    Buffer<Seen> out(kThreads);
    REQUIRE(launch({.grid = 1, .block = kThreads, .warp_size = size}, look, out.data()).ok());
    const std::vector<Seen> all = out.download();
    for (unsigned thread = 0; thread < kThreads; ++thread) {
      const unsigned lane = thread % size;
      const unsigned lanes = std::min(size, kThreads - (thread - lane));
      std::uint64_t odd = 0;
      std::uint64_t alike = 0;
      for (unsigned i = 0; i < lanes; ++i) odd |= std::uint64_t{i % 2} << i;
      for (unsigned i = lane % 3; i < lanes; i += 3) alike |= std::uint64_t{1} << i;
      const Seen& seen = all[thread];
      CHECK(std::popcount(seen.active) == static_cast<int>(lanes));
      CHECK(seen.ballot == odd);
      CHECK(seen.matching == alike);
      CHECK(seen.below == (std::uint64_t{1} << lane) - 1);
      CHECK(seen.sum == lanes * (lanes - 1) / 2);
      CHECK(seen.from_first == thread - lane);
      if (lane + 1 < lanes) CHECK(seen.from_next == thread + 1);
    }
  }
}

TEST_CASE("a mask of 32 lanes in a wider warp is told what to compile with") {
  const auto result = launch({.grid = 1, .block = 64, .warp_size = 64}, [] { __syncwarp(0xffffffffU); });
  REQUIRE(result.error() == Error::launch_failure);
  CHECK_THAT(result.message(), Catch::Matchers::ContainsSubstring("-DWARPFIBER_WIDE_WARPS"));
}
