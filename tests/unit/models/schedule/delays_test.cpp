// SPDX-License-Identifier: Apache-2.0
//
// Delays against mistakes that need one thread to stand still between two steps while another one does much, and
// against what they may not do: hold threads for ever.
#include "schedule/delays.hpp"

#include <algorithm>
#include <cstdint>

#include "schedule/options.hpp"
#include "schedule/policies.hpp"
#include "schedule/recorder.hpp"
#include "support/catch.hpp"
#include "unit/models/schedule/toy_program.hpp"

using namespace warpfiber;
using namespace warpfiber::schedule;

namespace {

/// Consumers look for work, then say that they sleep, then wait until they are woken. The producer works for long
/// before it adds the work and wakes one who sleeps. True if the wake-up is lost.
bool loses_wake_up(Policy& policy, std::size_t sleepers = 1) {
  bool has_work = false;
  std::vector<char> seen(sleepers);
  std::vector<char> sleeps(sleepers);
  bool is_over = false;
  toy::Program program;
  for (std::size_t i = 0; i < sleepers; ++i) {
    program.push_back({{.act = [&, i] { policy.comes_to(1), seen[i] = has_work, is_over = is_over || has_work; }},
                       {.act = [&, i] { policy.comes_to(2), sleeps[i] = !seen[i]; }},
                       {.again = [&, i] { return policy.comes_to(3), !is_over; }}});
  }
  program.push_back(toy::idle(60));
  program.back().push_back({.act = [&] { has_work = true; }});
  program.back().push_back({.act = [&] {
    const auto found = std::ranges::find(sleeps, 1);
    is_over = is_over || found != sleeps.end();
  }});
  return toy::run(program, policy).endless;
}

template <class P>
unsigned seeds_that_lose(unsigned seeds, std::size_t sleepers) {
  unsigned lost = 0;
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    P policy(seed);
    lost += loses_wake_up(policy, sleepers) ? 1U : 0U;
  }
  return lost;
}

}  // namespace

TEST_CASE("a lost wake-up that random schedules miss shows when a thread is held") {
  const std::size_t sleepers = GENERATE(std::size_t{1}, std::size_t{3});
  CHECK(seeds_that_lose<RandomPolicy>(400, sleepers) == 0);
  CHECK(seeds_that_lose<Delays>(60, sleepers) > 0);
}

TEST_CASE("a thread is held only while others get on") {
  const std::uint64_t seed = GENERATE(range(std::uint64_t{1}, std::uint64_t{50}));
  bool set = false;
  toy::Program program(4);
  for (std::size_t i = 0; i < 3; ++i) program[i] = {{.again = [&] { return !set; }}};
  program[3] = toy::idle(10);
  program[3].push_back({.act = [&] { set = true; }});
  Delays policy(seed);
  const toy::Outcome outcome = toy::run(program, policy);
  CHECK_FALSE(outcome.endless);
  CHECK_FALSE(outcome.stuck);
}

TEST_CASE("a schedule with delays has few switches") {
  std::uint64_t most = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Recorder recorder(std::make_unique<Delays>(seed));
    if (!loses_wake_up(recorder)) continue;
    const Recording& made = recorder.recording();
    const auto until = std::min<std::size_t>(made.size(), 100);
    most = std::max(
        most, static_cast<std::uint64_t>(std::count_if(made.begin(), made.begin() + static_cast<std::ptrdiff_t>(until),
                                                       [](const auto& one) { return !one.usual; })));
  }
  CHECK(most < 50);
}

TEST_CASE("delays are a policy of the command line") {
  const auto options = parse_policy("delays");
  REQUIRE(options.ok());
  CHECK(options.value().kind == PolicyKind::delays);
  CHECK(policy_text(options.value()) == "delays");
  CHECK_FALSE(parse_policy("delays:3").ok());
}
