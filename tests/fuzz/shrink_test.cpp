// SPDX-License-Identifier: Apache-2.0
//
// Shrinking by properties that need no run, and the cut behind a node.
#include "tools/fuzz/programs.hpp"

#include <algorithm>

#include "fuzz/support.hpp"
#include "tools/fuzz/difference.hpp"

using namespace fuzz_test;

namespace {

bool has(const std::vector<Tree>& trees, Op op) {
  return std::ranges::any_of(
      trees, [op](const Tree& tree) { return tree.node.op == op || has(tree.first, op) || has(tree.second, op); });
}

}  // namespace

TEST_CASE("what stays is the node that matters and what it stands in") {
  for (const Op op : {Op::shuffle, Op::label, Op::aggregate, Op::exchange}) {
    const auto shows = [op](const FuzzProgram& program) { return has(program.body, op); };
    for (std::uint64_t seed = 1; seed <= 200; ++seed) {
      const FuzzProgram program = generate(seed);
      if (!shows(program)) continue;
      INFO("seed " << seed);
      const FuzzProgram small = shrunk(program, shows, 4000);
      REQUIRE(is_valid(small));
      REQUIRE(shows(small));
      REQUIRE(count_nodes(small.body) <= 3);
      REQUIRE(small.shape.threads() <= 1024);
      REQUIRE(small.shape.blocks() == 1);
      REQUIRE(small.shape.cooperative == 0);
    }
  }
}

TEST_CASE("shrinking stops after as many trials as it may make") {
  unsigned trials = 0;
  const auto shows = [&trials](const FuzzProgram&) { return ++trials != 0; };
  shrunk(generate(5), shows, 3);
  CHECK(trials == 3);
}

TEST_CASE("a program that shows nothing stays as it is") {
  const FuzzProgram program = generate(7);
  const FuzzProgram same = shrunk(
      program, [](const FuzzProgram&) { return false; }, 4000);
  CHECK(program_digest(flatten(same)) == program_digest(flatten(program)));
}

TEST_CASE("up to the node that a program is cut behind, everything is seen as before") {
  Runner runner;
  unsigned compared = 0;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    const FuzzProgram program = generate(seed);
    // The second round of a part that is cut in its middle sees something else, and what a branch tells is counted
    // behind what it holds.
    if (has(program.body, Op::repeat) || has(program.body, Op::loop) || has(program.body, Op::branch)) continue;
    const unsigned index = count_nodes(program.body) / 2;
    const FuzzProgram cut = cut_behind(program, index);
    INFO("seed " << seed);
    REQUIRE(is_valid(cut));
    const Outcome whole = runner.run(flatten(program), in_order(), Wanted::sums);
    const Outcome part = runner.run(flatten(cut), in_order(), Wanted::sums);
    for (unsigned node = 0; node <= index; ++node) {
      REQUIRE(part.nodes[node] == whole.nodes[node]);
      ++compared;
    }
  }
  CHECK(compared > 300);
}
