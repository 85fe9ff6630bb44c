// SPDX-License-Identifier: Apache-2.0
//
// The recorded results of a GPU against the simulator's.
#include "fuzz/support.hpp"
#include "tools/fuzz/programs.hpp"

using namespace fuzz_test;

namespace {

constexpr std::uint64_t kReplayed = 2000;

}  // namespace

TEST_CASE("the simulator computes what the GPU computed, for every node of the programs") {
  Runner runner;
  REQUIRE(shipped().programs.size() >= kReplayed);
  for (std::uint64_t seed = 1; seed <= kReplayed; ++seed) {
    INFO("warpfiber-dev fuzz --count 1 --seed " << seed);
    const Flat program = flatten(generate(seed));
    const Recorded& recorded = shipped().of(seed);
    REQUIRE(program_digest(program) == recorded.program);
    REQUIRE(recorded.has_result());
    // Half of them out of order.
    const RunSettings way = seed % 2 == 0 ? in_order() : RunSettings{"random", seed, InjectedFault::none};
    REQUIRE(agrees(runner.run(program, way, Wanted::sums), recorded));
  }
}

TEST_CASE("the programs are valid, and those of the recordings are the ones that are drawn") {
  for (std::uint64_t seed = 1; seed <= shipped().programs.size(); ++seed) {
    const FuzzProgram program = generate(seed);
    INFO("seed " << seed);
    REQUIRE(is_valid(program));
    REQUIRE(program_digest(flatten(program)) == shipped().of(seed).program);
  }
}
