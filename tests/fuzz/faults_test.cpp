// SPDX-License-Identifier: Apache-2.0
//
// Whether the programs notice a simulator that is wrong: each fault has to be found in the first thousand, by the
// recordings of a right device, and to shrink to what shows it.
#include <optional>

#include "fuzz/support.hpp"
#include "tools/fuzz/difference.hpp"
#include "tools/fuzz/programs.hpp"

using namespace fuzz_test;
using Catch::Matchers::ContainsSubstring;

namespace {

constexpr std::uint64_t kWithin = 1000;
constexpr unsigned kMostTrials = 4000;
constexpr unsigned kMostNodes = 5;

std::optional<std::uint64_t> found(Runner& runner, InjectedFault fault) {
  for (std::uint64_t seed = 1; seed <= kWithin; ++seed) {
    const Outcome outcome = runner.run(flatten(generate(seed)), in_order(fault), Wanted::sums);
    if (!agrees(outcome, shipped().of(seed))) return seed;
  }
  return std::nullopt;
}

/// What the first operation that differs is, as it is told, after the program has been shrunk.
std::string explained(Runner& runner, InjectedFault fault, std::uint64_t seed) {
  const auto shows = [&](const FuzzProgram& program) {
    const Flat flat = flatten(program);
    return runner.run(flat, in_order(fault), Wanted::digest).digest !=
           runner.run(flat, in_order(), Wanted::digest).digest;
  };
  const FuzzProgram small = shrunk(generate(seed), shows, kMostTrials);
  CHECK(is_valid(small));
  CHECK(shows(small));
  CHECK(count_nodes(small.body) <= kMostNodes);
  const std::optional<FirstDifference> difference =
      first_difference(runner.run(flatten(small), in_order(fault), Wanted::events),
                       runner.run(flatten(small), in_order(), Wanted::events));
  REQUIRE(difference);
  return describe(small, *difference);
}

}  // namespace

TEST_CASE("a shuffle from the wrong lane is found and shrunk to that shuffle") {
  Runner runner;
  const std::optional<std::uint64_t> seed = found(runner, InjectedFault::shuffle);
  REQUIRE(seed);
  CHECK_THAT(explained(runner, InjectedFault::shuffle, *seed), ContainsSubstring(".shfl_down("));
}

TEST_CASE("floating-point sums in another order are found and shrunk to one sum") {
  Runner runner;
  const std::optional<std::uint64_t> seed = found(runner, InjectedFault::order);
  REQUIRE(seed);
  const std::string text = explained(runner, InjectedFault::order, *seed);
  CHECK_THAT(text, ContainsSubstring("cg::reduce(") && ContainsSubstring("cg::plus<"));
}

TEST_CASE("a partition by half of a label is found and shrunk to that partition") {
  Runner runner;
  const std::optional<std::uint64_t> seed = found(runner, InjectedFault::label);
  REQUIRE(seed);
  CHECK_THAT(explained(runner, InjectedFault::label, *seed), ContainsSubstring("labeled_partition("));
}
