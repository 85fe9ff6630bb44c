// SPDX-License-Identifier: Apache-2.0
//
// Lanes in turn: nobody makes a second step before everybody of the warp has made the first, and nobody waits for ever.
#include "schedule/lock_step.hpp"

#include <algorithm>
#include <vector>

#include "support/catch.hpp"
#include "unit/models/schedule/toy_program.hpp"

using namespace warpfiber::schedule;

namespace {

toy::Outcome run(const toy::Program& program, const Warps& warps) {
  LockStep policy(warps);
  return toy::run(program, policy);
}

}  // namespace

TEST_CASE("lanes make their steps together, warp after warp") {
  const toy::Program program(6, toy::idle(2));
  CHECK(run(program, {.threads = 6, .lanes = 3}).order == std::vector<FiberId>{0, 1, 2, 0, 1, 2, 3, 4, 5, 3, 4, 5});
}

TEST_CASE("a warp ends with its block") {
  const toy::Program program(6, toy::idle(2));
  CHECK(run(program, {.threads = 3, .lanes = 2}).order == std::vector<FiberId>{0, 1, 0, 1, 2, 2, 3, 4, 3, 4, 5, 5});
}

TEST_CASE("a lane with fewer steps leaves the others in step") {
  const toy::Program program{toy::idle(3), toy::idle(1), toy::idle(3)};
  CHECK(run(program, {.threads = 3, .lanes = 3}).order == std::vector<FiberId>{0, 1, 2, 0, 2, 0, 2});
}

TEST_CASE("a lane that yields between its steps does not fall behind") {
  unsigned yields = 1;
  toy::Thread yielding{toy::Step{}, toy::Step{.again = [&] { return yields-- != 0; }}, toy::Step{}};
  const toy::Program program{toy::idle(3), yielding, toy::idle(3)};
  CHECK(run(program, {.threads = 3, .lanes = 3}).order == std::vector<FiberId>{0, 1, 2, 0, 1, 1, 2, 0, 1, 2});
}

TEST_CASE("the first warp has its turn although its first lane starts alone") {
  LockStep policy({.threads = 4, .lanes = 2});
  const std::vector<FiberId> alone{0};
  CHECK(policy.choose(alone, warpfiber::base::kNoFiber) == 0);
  const std::vector<FiberId> two{0, 1};
  CHECK(policy.choose(two, 0) == 1);
  const std::vector<FiberId> all{0, 1, 2};
  CHECK(policy.choose(all, 1) == 0);
}

TEST_CASE("a turn ends between two rounds of the warp") {
  const toy::Program program(4, toy::idle(6000));
  LockStep policy({.threads = 4, .lanes = 2});
  const std::vector<FiberId> order = toy::Machine(program, policy).run(40000).order;
  std::vector<std::size_t> taken(program.size());
  for (const FiberId id : order) {
    ++taken[id];
    REQUIRE(taken[0] - taken[1] <= 1);
    REQUIRE(taken[2] - taken[3] <= 1);
  }
  CHECK(std::ranges::find(order, FiberId{2}) - order.begin() < 6000);
}

TEST_CASE("who waits for another lane, another warp or another block gets what it waits for") {
  const FiberId waited_for = GENERATE(1U, 2U, 5U);
  bool done = false;
  toy::Program program(6, toy::idle(1));
  program[0] = {toy::Step{.again = [&] { return !done; }}};
  program[waited_for] = {toy::Step{.act = [&] { done = true; }}};
  LockStep policy({.threads = 4, .lanes = 2});
  const toy::Outcome outcome = toy::Machine(program, policy).run(20000);
  CHECK_FALSE(outcome.endless);
}
