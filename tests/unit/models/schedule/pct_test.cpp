// SPDX-License-Identifier: Apache-2.0
//
// PCT against the paper's guarantee: a mistake of depth d among n threads and k steps shows with a probability of at
// least 1 / (n k^(d-1)). The programs are figures 1 and 5 of the paper. Counts may fall six standard deviations below
// the guarantee, which an honest policy does for one set of seeds in a thousand million.
#include "schedule/policies.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <vector>

#include "support/catch.hpp"
#include "unit/models/schedule/toy_program.hpp"

using namespace warpfiber;
using namespace warpfiber::schedule;

namespace {

constexpr std::uint64_t kFarAhead = 20;

/// Figure 5: the mistake needs thread 1 to take all of its steps before thread 0 takes its only one.
bool figure_5(Policy& policy) {
  bool done = false;
  bool mistake = false;
  toy::Program program(2);
  program[0] = {{.act = [&] { mistake = done; }}};
  program[1] = toy::idle(kFarAhead);
  program[1].push_back({.act = [&] { done = true; }});
  toy::run(program, policy);
  return mistake;
}

/// Figure 1 (b): thread 0 checks a pointer and then uses it, thread 1 clears it in between: depth 2. `bystanders`
/// threads of five steps each run beside them.
struct Figure1b {
  std::size_t bystanders = 0;

  std::uint64_t threads() const { return 2 + bystanders; }
  std::uint64_t steps() const { return 20 + 5 * bystanders; }

  bool operator()(Policy& policy) const {
    bool valid = true;
    bool checked = false;
    bool mistake = false;
    toy::Program program(2, toy::idle(4));
    program[0].push_back({.act = [&] { checked = valid; }});
    program[0].push_back({.act = [&] { mistake = checked && !valid; }});
    toy::idle_on(program[0], 4);
    program[1].push_back({.act = [&] { valid = false; }});
    toy::idle_on(program[1], 5);
    program.insert(program.end(), bystanders, toy::idle(5));
    toy::run(program, policy);
    return mistake;
  }
};

/// Depth 3: the mistake needs the four marked steps of two threads in the order 0, 1, 0, 1.
struct Zigzag {
  static constexpr std::uint64_t kThreads = 2;
  static constexpr std::uint64_t kSteps = 12;

  bool operator()(Policy& policy) const {
    int progress = 0;
    const auto mark = [&](int place) { return toy::Step{.act = [&, place] { progress += progress == place; }}; };
    toy::Program program(2, toy::idle(2));
    for (int place = 0; place < 4; ++place) {
      program[place % 2].push_back(mark(place));
      program[place % 2].push_back({});
    }
    toy::run(program, policy);
    return progress == 4;
  }
};

template <class Case>
std::uint64_t hits(const Case& mistake, unsigned depth, std::uint64_t steps, std::uint64_t seeds) {
  std::uint64_t count = 0;
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    Pct policy(seed, depth, steps);
    count += mistake(policy);
  }
  return count;
}

/// The fewest hits in `runs` runs that still agree with a probability of at least `p`.
std::uint64_t fewest(double p, std::uint64_t runs) {
  const double expected = p * static_cast<double>(runs);
  return static_cast<std::uint64_t>(std::max(1.0, expected - 6 * std::sqrt(expected * (1 - p))));
}

double guarantee(std::uint64_t n, std::uint64_t k, unsigned depth) {
  return 1 / (static_cast<double>(n) * std::pow(static_cast<double>(k), depth - 1));
}

}  // namespace

TEST_CASE("random misses a mistake that needs one thread far ahead") {
  // Each seed hits with a probability of 2^-21, so 100 seeds miss it with more than 99.99 %.
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    RandomPolicy policy(seed);
    REQUIRE_FALSE(figure_5(policy));
  }
}

TEST_CASE("pct of depth 1 hits that mistake with every second seed") {
  // n = 2, d = 1: the guarantee is 1/2, and 20 seeds miss it with less than one in a million.
  CHECK(hits(figure_5, 1, kFarAhead + 2, 20) > 0);
  CHECK(hits(figure_5, 1, kFarAhead + 2, 2000) >= fewest(0.5, 2000));
}

TEST_CASE("pct of depth 2 hits check-then-use as often as promised") {
  // k = 20 + 5 per bystander. Without bystanders the guarantee, 1/40, is also the exact probability.
  const Figure1b mistake{GENERATE(0u, 1u, 4u, 18u)};
  constexpr std::uint64_t kSeeds = 20000;
  const double p = guarantee(mistake.threads(), mistake.steps(), 2);
  CHECK(hits(mistake, 2, mistake.steps(), kSeeds) >= fewest(p, kSeeds));
}

TEST_CASE("pct of depth 3 hits a zigzag as often as promised") {
  constexpr std::uint64_t kSeeds = 40000;
  const double p = guarantee(Zigzag::kThreads, Zigzag::kSteps, 3);
  CHECK(hits(Zigzag{}, 3, Zigzag::kSteps, kSeeds) >= fewest(p, kSeeds));
}

TEST_CASE("pct never hits a mistake deeper than its depth") {
  CHECK(hits(Figure1b{}, 1, 20, 2000) == 0);
  CHECK(hits(Zigzag{}, 1, Zigzag::kSteps, 2000) == 0);
  CHECK(hits(Zigzag{}, 2, Zigzag::kSteps, 2000) == 0);
}

TEST_CASE("pct tries every order of a few threads about equally often") {
  std::map<std::vector<FiberId>, int> seen;
  constexpr int kSeeds = 6000;
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    Pct policy(seed, 1, 1);
    ++seen[toy::run(toy::Program(3, toy::idle(1)), policy).order];
  }
  CHECK(seen.size() == 6);
  // 1000 expected of each, standard deviation 29.
  for (const auto& [order, count] : seen) CHECK(std::abs(count - 1000) < 6 * 29);
}

TEST_CASE("pct lets others run when a thread spins on them") {
  // Without lowering, some seed gives the spinner the highest priority and the run never ends.
  const unsigned spinners = GENERATE(1u, 3u);
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    bool flag = false;
    toy::Program program(spinners, {{.again = [&] { return !flag; }}});
    program.push_back(toy::idle(10));
    program.back().push_back({.act = [&] { flag = true; }});
    Pct policy(seed, 3, 20);
    REQUIRE_FALSE(toy::run(program, policy).endless);
  }
}

TEST_CASE("pct lowers at a step that was reached, and counts only real choices") {
  // One thread alone: no choice is ever made, so no change point is used up before the second one appears.
  Pct policy(1, 1, 10);
  toy::run(toy::Program(1, toy::idle(100)), policy);
  CHECK(policy.steps() == 0);
  toy::run(toy::Program(2, toy::idle(3)), policy);
  CHECK(policy.steps() == 3);
}
