// SPDX-License-Identifier: Apache-2.0
// Barriers of a block that have numbers: as many threads meet as the calls say, whole warps each, whoever else is busy
// elsewhere; and what no such barrier can mean ends in a finding.
#include <warpfiber/intrinsics/named_barrier.hpp>

#include <string>
#include <vector>

#include "support/launches.hpp"

using namespace warpfiber;
using namespace warpfiber::test;
using Catch::Matchers::ContainsSubstring;

namespace {

constexpr unsigned kHandovers = 5;

/// Pairs of warps, each at a barrier of its own, hand a number back and forth: the first warp writes, the second adds.
void hand_over_in_pairs(unsigned* slots, unsigned* sums) {
  const unsigned warp = threadIdx.x / 32;
  const unsigned pair = blockIdx.x * (blockDim.x / 64) + warp / 2;
  const unsigned full = warp / 2;
  const unsigned free = 8 + warp / 2;
  for (unsigned i = 0; i < kHandovers; ++i) {
    if (warp % 2 == 0) {
      if (i > 0) detail::sync_named(free, 64, Site::here());
      slots[pair * 32 + threadIdx.x % 32] = i + 1;
      detail::arrive_named(full, 64, Site::here());
    } else {
      detail::sync_named(full, 64, Site::here());
      sums[pair * 32 + threadIdx.x % 32] += slots[pair * 32 + (threadIdx.x + 1) % 32];
      if (i + 1 < kHandovers) detail::arrive_named(free, 64, Site::here());
    }
  }
}

/// Threads return where they like; the last warp is not full.
void meet_ragged(unsigned* met) {
  if (threadIdx.x % 7 == 3) return;
  __barrier_sync_count(5, 64);
  __barrier_sync(6);
  __barrier_sync(0);
  ++met[threadIdx.x];
}

std::string refused(const char* id, void (*kernel)(), unsigned threads = 64) {
  const Way way = every_way();
  CAPTURE(way);
  const LaunchResult result = failed_launch(way.apply({.grid = 2, .block = threads}), kernel);
  CHECK(std::string(result.finding()) == id);
  return result.message();
}

}  // namespace

TEST_CASE("named barriers: pairs of warps hand numbers over, each pair at its own barriers") {
  const Way way = every_way();
  CAPTURE(way);
  constexpr unsigned kPairs = 3 * 4;
  std::vector<unsigned> slots(kPairs * 32), sums(kPairs * 32);
  good_launch(way.apply({.grid = 3, .block = 256}), hand_over_in_pairs, slots.data(), sums.data());
  CHECK(sums == std::vector<unsigned>(kPairs * 32, kHandovers * (kHandovers + 1) / 2));
}

TEST_CASE("named barriers: those who come reduce their predicates, round after round") {
  const Way way = every_way();
  CAPTURE(way);
  constexpr unsigned kRounds = 9;
  constexpr unsigned kThreads = 128;
  std::vector<unsigned> wrong(2 * kThreads);
  const auto kernel = +[](unsigned* of_thread) {
    const unsigned thread = threadIdx.x;
    // Lanes that have returned vote for nothing. Each pair of warps is at a barrier of its own.
    if (thread % 32 == 31) return;
    for (unsigned round = 0; round < kRounds; ++round) {
      const bool holds = thread % 32 < round * 4;
      const unsigned of_warp = round * 4 < 31 ? round * 4 : 31;
      const auto vote = [&](detail::NamedReduction how, unsigned barrier, unsigned threads) {
        return detail::reduce_named(how, barrier, threads, holds, Site::here());
      };
      const unsigned pair = 1 + thread / 64;
      of_thread[blockIdx.x * blockDim.x + thread] +=
          (vote(detail::NamedReduction::popc, pair, 64) != 2 * of_warp) +
          (vote(detail::NamedReduction::all, pair, 64) != (of_warp == 31)) +
          (vote(detail::NamedReduction::any, 5, 0) != (of_warp != 0)) +
          (vote(detail::NamedReduction::popc, 0, 0) != 4 * of_warp) +
          (vote(detail::NamedReduction::all, 0, kThreads) != (of_warp == 31));
    }
  };
  good_launch(way.apply({.grid = 2, .block = kThreads}), kernel, wrong.data());
  CHECK(wrong == std::vector<unsigned>(2 * kThreads));
}

TEST_CASE("named barriers: a warp that is slow to look gets the votes of its own phase") {
  const Way way = every_way();
  CAPTURE(way);
  std::vector<unsigned> seen(96);
  const auto kernel = +[](unsigned* of_thread) {
    const auto count = [](bool holds) {
      return detail::reduce_named(detail::NamedReduction::popc, 3, 64, holds, Site::here());
    };
    // The first two warps have a phase of their own; then the second and the third have several.
    const unsigned warp = threadIdx.x / 32;
    if (warp < 2) of_thread[threadIdx.x] = count(threadIdx.x % 2 == 0);
    if (warp == 1) detail::arrive_named(4, 64, Site::here());
    if (warp == 2) detail::sync_named(4, 64, Site::here());
    if (warp == 0) return;
    for (unsigned round = 0; round < 20; ++round) count(round % 2 == 0);
    of_thread[threadIdx.x] += count(true) == 64 ? 0 : 1000;
  };
  good_launch(way.apply({.grid = 1, .block = 96}), kernel, seen.data());
  for (unsigned thread = 0; thread < 96; ++thread) CHECK(seen[thread] == (thread < 64 ? 32 : 0));
}

TEST_CASE("named barriers: a reduction that meets what is none is told, with both calls") {
  const std::string said = refused("barrier-divergence", [] {
    if (threadIdx.x < 32) {
      detail::reduce_named(detail::NamedReduction::popc, 2, 64, true, Site::here());
    } else {
      detail::sync_named(2, 64, Site::here());
    }
  });
  CHECK_THAT(said, ContainsSubstring("bar.red in all warps"));
}

TEST_CASE("named barriers: a warp counts as a whole, with lanes that have returned or never were") {
  const Way way = every_way();
  CAPTURE(way);
  std::vector<unsigned> met(48);
  good_launch(way.apply({.grid = 1, .block = 48}), meet_ragged, met.data());
  for (unsigned thread = 0; thread < 48; ++thread) CHECK(met[thread] == (thread % 7 == 3 ? 0 : 1));
}

TEST_CASE("named barriers: what an earlier block has left at one does not count for the next") {
  const Way way = every_way();
  CAPTURE(way);
  const auto arrive_and_leave = +[] {
    if (threadIdx.x < 32) detail::arrive_named(1, 64, Site::here());
  };
  good_launch(way.apply({.grid = 9, .block = 64}), arrive_and_leave);
}

TEST_CASE("named barriers: numbers and counts that there cannot be are refused") {
  CHECK_THAT(refused("cg-misuse", [] { __barrier_sync(16); }), ContainsSubstring("barrier 16"));
  CHECK_THAT(refused("cg-misuse", [] { __barrier_sync_count(1, 48); }), ContainsSubstring("multiple of 32"));
  CHECK_THAT(refused("cg-misuse", [] { __barrier_sync_count(1, 96); }), ContainsSubstring("96 threads"));
  CHECK_THAT(refused("cg-misuse", [] { __barrier_sync_count(1 + threadIdx.x % 2, 64); }),
             ContainsSubstring("different barriers"));
}

TEST_CASE("named barriers: warps that expect different numbers of threads are told both") {
  const auto kernel = +[] {
    if (threadIdx.x < 32) return __barrier_sync_count(1, 64);
    __barrier_sync_count(1, 96);
  };
  const std::string said = refused("barrier-divergence", kernel, 96);
  CHECK_THAT(said, ContainsSubstring("for 64 threads") && ContainsSubstring("for 96 threads"));
}

TEST_CASE("named barriers: waiting for warps that do not come is a deadlock that counts them") {
  const std::string said = refused("deadlock", [] {
    if (threadIdx.x < 32) __barrier_sync_count(9, 64);
  });
  CHECK_THAT(said, ContainsSubstring("32 of 64 have arrived") && ContainsSubstring("Barrier 9"));
}
