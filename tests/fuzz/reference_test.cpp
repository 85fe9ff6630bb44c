// SPDX-License-Identifier: Apache-2.0
//
// The sequential model computes what the device did in every program that is recorded, and sees what the simulator
// sees, thread by thread.
#include "tools/fuzz/reference/reference.hpp"

#include "fuzz/support.hpp"
#include "tools/fuzz/difference.hpp"
#include "tools/fuzz/programs.hpp"

using namespace fuzz_test;

TEST_CASE("the sequential model computes what a device did in all recorded programs") {
  std::uint64_t seed = shipped().first_seed;
  unsigned wrong = 0;
  for (const Recorded& there : shipped().programs) {
    const Outcome outcome = run_sequentially(flatten(generate(seed)), Wanted::sums);
    if (!agrees(outcome, there)) UNSCOPED_INFO("seed " << seed);
    wrong += agrees(outcome, there) ? 0 : 1;
    ++seed;
  }
  CHECK(shipped().programs.size() >= 10000);
  CHECK(wrong == 0);
}

TEST_CASE("every thread of the sequential model sees what it sees on the simulator") {
  Runner runner;
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    const Flat program = flatten(generate(seed));
    const Outcome here = runner.run(program, in_order(), Wanted::events);
    const Outcome there = run_sequentially(program, Wanted::events);
    INFO("seed " << seed);
    REQUIRE(here.threads.size() == there.threads.size());
    REQUIRE_FALSE(first_difference(here, there));
    REQUIRE(here.digest == there.digest);
  }
}
