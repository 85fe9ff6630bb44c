// SPDX-License-Identifier: Apache-2.0
//
// What every policy promises: equal seeds repeat a run, the order of the candidates carries no meaning where a policy
// says so, and taking turns starves nobody.
#include "schedule/policy.hpp"

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <set>
#include <vector>

#include "schedule/options.hpp"
#include "schedule/policies.hpp"
#include "schedule/recorder.hpp"
#include "support/catch.hpp"
#include "unit/models/schedule/toy_program.hpp"

using namespace warpfiber;
using namespace warpfiber::schedule;

namespace {

/// Four threads that meet twice, with spins: some steps have one candidate, most have several.
Recording recorded_run(const PolicyOptions& options) {
  int arrived = 0;
  toy::Program program;
  for (int thread = 0; thread < 4; ++thread) {
    toy::Thread steps = toy::idle(3);
    steps.push_back({.act = [&] { ++arrived; }});
    steps.push_back({.ready = [&] { return arrived >= 4; }});
    steps.push_back({.act = [&] { ++arrived; }});
    steps.push_back({.again = [&] { return arrived < 8; }});
    program.push_back(steps);
  }
  Recorder recorder(make_policy(options));
  const toy::Outcome outcome = toy::run(program, recorder);
  REQUIRE_FALSE(outcome.stuck);
  REQUIRE_FALSE(outcome.endless);
  CHECK(recorder.steps() == recorder.recording().size());
  return recorder.recording();
}

}  // namespace

TEST_CASE("one seed gives one run, other seeds give others") {
  const PolicyKind kind = GENERATE(PolicyKind::random, PolicyKind::pct);
  std::set<std::vector<FiberId>> different;
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const PolicyOptions options{.kind = kind, .seed = seed, .steps = 20};
    const Recording first = recorded_run(options);
    REQUIRE_FALSE(first_difference(first, recorded_run(options)).has_value());
    std::vector<FiberId> choices;
    std::ranges::transform(first, std::back_inserter(choices), &Decision::chosen);
    different.insert(choices);
  }
  CHECK(different.size() > 40);
}

TEST_CASE("in order, threads take turns by id") {
  InOrder policy;
  CHECK(toy::run(toy::Program(3, toy::idle(2)), policy).order == std::vector<FiberId>{0, 1, 2, 0, 1, 2});
}

TEST_CASE("in order, the turn passes over threads that cannot run") {
  const std::vector<FiberId> runnable{2, 5, 9};
  const auto [current, next] =
      GENERATE(table<FiberId, FiberId>({{base::kNoFiber, 2}, {0, 2}, {2, 5}, {4, 5}, {5, 9}, {9, 2}, {100, 2}}));
  CHECK(runnable[next_in_order(runnable, current)] == next);
}

TEST_CASE("in order, pct and lock-step do not depend on the order of the candidates") {
  const PolicyKind kind = GENERATE(PolicyKind::in_order, PolicyKind::pct, PolicyKind::lock_step);
  std::vector<FiberId> runnable{3, 1, 4, 15, 9, 2, 6};
  const auto choice = [&] {
    const auto policy = make_policy({.kind = kind, .seed = 7});
    return runnable[policy->choose(runnable, 4)];
  };
  const FiberId expected = choice();
  std::ranges::sort(runnable);
  do {
    REQUIRE(choice() == expected);
  } while (std::ranges::next_permutation(runnable).found);
}

TEST_CASE("random gives every candidate its share") {
  const std::vector<FiberId> runnable{10, 20, 30, 40};
  RandomPolicy policy(3);
  std::vector<int> seen(runnable.size());
  for (int i = 0; i < 4000; ++i) ++seen[policy.choose(runnable, 10)];
  // 1000 expected of each, standard deviation 27.
  for (const int count : seen) CHECK(std::abs(count - 1000) < 6 * 27);
}

TEST_CASE("a single candidate is no decision") {
  const PolicyKind kind =
      GENERATE(PolicyKind::in_order, PolicyKind::random, PolicyKind::pct, PolicyKind::lock_step, PolicyKind::replay);
  const auto policy = make_policy({.kind = kind});
  const std::vector<FiberId> one{42};
  CHECK(policy->choose(one, base::kNoFiber) == 0);
  CHECK(policy->steps() == 0);
  CHECK(policy->complaint().empty());
}

TEST_CASE("a choice that the caller makes is a step, and is recorded as one of the policy") {
  Recorder recorder(make_policy({.kind = PolicyKind::random, .seed = 1}));
  const std::vector<FiberId> runnable{4, 9, 2};
  CHECK(recorder.follow(runnable, 4, 1) == 1);
  CHECK(recorder.follow(std::vector<FiberId>{7}, 4, 0) == 0);  // nothing is decided
  CHECK(recorder.steps() == 1);
  REQUIRE(recorder.recording().size() == 1);
  CHECK(recorder.recording().front().chosen == 9);
  CHECK_FALSE(recorder.recording().front().usual);
}
