// SPDX-License-Identifier: Apache-2.0
// Barriers split into arrival and wait: they order as whole barriers do, nobody waits at an arrival, and every way to
// break the pairing ends in a finding that names the lines.
#include <warpfiber/detail/group.hpp>

#include <string>
#include <vector>

#include "support/launches.hpp"

using namespace warpfiber;
using namespace warpfiber::test;
using Catch::Matchers::ContainsSubstring;
using detail::SplitBarrier;

namespace {

constexpr int kPhases = 9;

LaunchConfig config_for(SplitBarrier barrier, const Way& way) {
  LaunchConfig config = way.apply({.grid = 4, .block = 48});
  if (barrier == SplitBarrier::cluster) config.cluster = 2;
  if (barrier == SplitBarrier::grid) config.cooperative = true;
  return config;
}

unsigned members_of(SplitBarrier barrier) {
  if (barrier == SplitBarrier::block) return 48;
  return barrier == SplitBarrier::cluster ? 96 : 192;
}

SplitBarrier every_barrier() {
  return GENERATE(SplitBarrier::block, SplitBarrier::cluster, SplitBarrier::grid);
}

std::string misuse_of(SplitBarrier barrier, void (*kernel)(SplitBarrier)) {
  const Way way = every_way();
  CAPTURE(way);
  const LaunchResult result = failed_launch(config_for(barrier, way), kernel, barrier);
  CHECK(std::string(result.finding()) == "cg-misuse");
  return result.message();
}

std::string line(unsigned number) {
  return "split_barrier_test.cpp:" + std::to_string(number);
}

unsigned first_line, second_line, third_line;  // of the calls in a kernel that breaks a rule

void arrive_twice(SplitBarrier barrier) {
  first_line = __LINE__ + 1;
  detail::arrive_split(barrier, Site::here());
  second_line = __LINE__ + 1;
  detail::arrive_split(barrier, Site::here());
}

void wait_twice(SplitBarrier barrier) {
  const std::uint64_t phase = detail::arrive_split(barrier, Site::here());
  detail::wait_split(barrier, phase, Site::here());
  second_line = __LINE__ + 1;
  detail::wait_split(barrier, phase, Site::here());
}

void wait_for_another_phase(SplitBarrier barrier) {
  const std::uint64_t phase = detail::arrive_split(barrier, Site::here());
  detail::wait_split(barrier, phase, Site::here());
  first_line = __LINE__ + 1;
  detail::arrive_split(barrier, Site::here());
  second_line = __LINE__ + 1;
  detail::wait_split(barrier, phase, Site::here());
}

void never_wait(SplitBarrier barrier) {
  first_line = __LINE__ + 1;
  detail::arrive_split(barrier, Site::here());
}

void whole_barrier(SplitBarrier barrier, Site site) {
  if (barrier == SplitBarrier::block) detail::block_barrier(site);
  if (barrier == SplitBarrier::cluster) sync_cluster(site);
  if (barrier == SplitBarrier::grid) sync_grid(site);
}

void sync_in_between(SplitBarrier barrier) {
  first_line = __LINE__ + 1;
  const std::uint64_t phase = detail::arrive_split(barrier, Site::here());
  second_line = __LINE__ + 1;
  whole_barrier(barrier, Site::here());
  third_line = __LINE__ + 1;
  detail::wait_split(barrier, phase, Site::here());
}

}  // namespace

TEST_CASE("whoever has waited sees what all did before they arrived") {
  const SplitBarrier barrier = every_barrier();
  const Way way = every_way();
  CAPTURE(static_cast<int>(barrier), way);
  const unsigned members = members_of(barrier);
  std::vector<unsigned> counts(std::size_t{kPhases} * 192 / members);
  std::vector<unsigned> wrong(192);
  good_launch(config_for(barrier, way), [&counts, &wrong, barrier, members] {
    const std::uint64_t rank = global_rank();
    for (int phase = 0; phase < kPhases; ++phase) {
      unsigned& count = counts[static_cast<std::size_t>(phase) * 192 / members + rank / members];
      atomicAdd(&count, 1U);
      const std::uint64_t token = detail::arrive_split(barrier, Site::here());
      if (rank % 5 == 0) __syncwarp(1U << detail::lane_id());
      detail::wait_split(barrier, token, Site::here());
      if (atomicAdd(&count, 0U) != members) ++wrong[rank];
    }
  });
  CHECK(wrong == std::vector<unsigned>(192));
}

TEST_CASE("a thread that has arrived may go on while others have not") {
  const SplitBarrier barrier = every_barrier();
  const Way way = every_way();
  CAPTURE(static_cast<int>(barrier), way);
  std::vector<int> flags(4);
  good_launch(config_for(barrier, way), [&flags, barrier] {
    int* flag = &flags[blockIdx.x];
    const bool first = threadIdx.x == 0;
    if (!first) {
      while (atomicAdd(flag, 0) == 0) {
      }
    }
    const std::uint64_t token = detail::arrive_split(barrier, Site::here());
    if (first) atomicExch(flag, 1);
    detail::wait_split(barrier, token, Site::here());
  });
  CHECK(flags == std::vector<int>(4, 1));
}

TEST_CASE("split and whole barriers take turns") {
  const SplitBarrier barrier = every_barrier();
  const Way way = every_way();
  CAPTURE(static_cast<int>(barrier), way);
  const unsigned members = members_of(barrier);
  std::vector<unsigned> counts(192 / members);
  std::vector<unsigned> wrong(192);
  good_launch(config_for(barrier, way), [&counts, &wrong, barrier, members] {
    const std::uint64_t rank = global_rank();
    unsigned& count = counts[rank / members];
    for (unsigned phase = 1; phase <= kPhases; ++phase) {
      atomicAdd(&count, 1U);
      const std::uint64_t token = detail::arrive_split(barrier, Site::here());
      detail::wait_split(barrier, token, Site::here());
      if (atomicAdd(&count, 0U) != members * phase) ++wrong[rank];
      whole_barrier(barrier, Site::here());
    }
  });
  CHECK(wrong == std::vector<unsigned>(192));
}

TEST_CASE("a wider group's split barrier lets the block synchronise in between") {
  const SplitBarrier barrier = GENERATE(SplitBarrier::cluster, SplitBarrier::grid);
  const Way way = every_way();
  CAPTURE(static_cast<int>(barrier), way);
  LaunchConfig config = config_for(barrier, way);
  if (GENERATE(false, true)) config.cluster = 1;
  good_launch(config, [barrier] {
    for (int phase = 0; phase < kPhases; ++phase) {
      const std::uint64_t token = detail::arrive_split(barrier, Site::here());
      __syncthreads();
      detail::wait_split(barrier, token, Site::here());
    }
  });
}

TEST_CASE("arriving twice names both arrivals") {
  const SplitBarrier barrier = every_barrier();
  const std::string report = misuse_of(barrier, arrive_twice);
  CHECK_THAT(report, ContainsSubstring(line(first_line)) && ContainsSubstring(line(second_line)));
}

TEST_CASE("waiting twice with one token names the second wait") {
  const SplitBarrier barrier = every_barrier();
  const std::string report = misuse_of(barrier, wait_twice);
  CHECK_THAT(report, ContainsSubstring(line(second_line)));
}

TEST_CASE("waiting with an older token names the arrival and the wait") {
  const SplitBarrier barrier = every_barrier();
  const std::string report = misuse_of(barrier, wait_for_another_phase);
  CHECK_THAT(report, ContainsSubstring(line(first_line)) && ContainsSubstring(line(second_line)));
}

TEST_CASE("an arrival that nobody waits for is named") {
  const SplitBarrier barrier = every_barrier();
  const std::string report = misuse_of(barrier, never_wait);
  CHECK_THAT(report, ContainsSubstring(line(first_line)));
}

TEST_CASE("a whole barrier between arrival and wait is named with both") {
  const SplitBarrier barrier = every_barrier();
  const std::string report = misuse_of(barrier, sync_in_between);
  CHECK_THAT(report, ContainsSubstring(line(first_line)) && ContainsSubstring(line(second_line)) &&
                         ContainsSubstring(line(third_line)));
}

TEST_CASE("a thread that never arrives is waited for in vain") {
  const Way way = every_way();
  CAPTURE(way);
  const LaunchResult result = failed_launch(way.apply({.block = 64}), [] {
    if (threadIdx.x == 9) __syncwarp(3U << detail::lane_id());  // whose other lane never comes
    detail::wait_split(SplitBarrier::block, detail::arrive_split(SplitBarrier::block, Site::here()), Site::here());
  });
  CHECK_THAT(result.message(), ContainsSubstring("for every thread of their block to arrive"));
}

TEST_CASE("a whole barrier beside a split one is told with those who have arrived") {
  const LaunchResult result = failed_launch({.block = 64}, [] {
    if (threadIdx.x >= 32) return detail::block_barrier(Site::here());
    detail::wait_split(SplitBarrier::block, detail::arrive_split(SplitBarrier::block, Site::here()), Site::here());
  });
  CHECK(std::string(result.finding()) == "barrier-divergence");
  CHECK_THAT(result.message(), ContainsSubstring("32 threads call") && ContainsSubstring("threads 0-31 (warp 0)") &&
                                   ContainsSubstring("threads 32-63 (warp 1)"));
}

TEST_CASE("the grid's split barrier needs a cooperative launch") {
  const LaunchResult result = failed_launch({.grid = 2, .block = 32}, [] {
    detail::wait_split(SplitBarrier::grid, detail::arrive_split(SplitBarrier::grid, Site::here()), Site::here());
  });
  CHECK(std::string(result.finding()) == "cg-misuse");
}
