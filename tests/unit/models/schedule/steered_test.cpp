// SPDX-License-Identifier: Apache-2.0
//
// A schedule as its switches: what was recorded comes again, and a part of it is a schedule as well.
#include "schedule/switches.hpp"

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "report/reasons/reasons.hpp"
#include "schedule/options.hpp"
#include "schedule/recorder.hpp"
#include "support/catch.hpp"
#include "unit/models/schedule/toy_program.hpp"

using namespace warpfiber::schedule;
using Catch::Matchers::ContainsSubstring;

namespace {

/// Five threads, one of which spins until another has got on.
toy::Outcome run(Policy& policy) {
  int done = 0;
  toy::Program program(4, toy::idle(4));
  program[2].push_back({.act = [&] { ++done; }});
  program.push_back({{.again = [&] { return done == 0; }}, {}, {}});
  const toy::Outcome outcome = toy::run(program, policy);
  REQUIRE_FALSE(outcome.stuck);
  REQUIRE_FALSE(outcome.endless);
  return outcome;
}

}  // namespace

TEST_CASE("the switches of a run make the same run") {
  const PolicyKind kind = GENERATE(PolicyKind::in_order, PolicyKind::random, PolicyKind::pct);
  const std::uint64_t seed = GENERATE(range<std::uint64_t>(0, 20));
  Recorder recorder(make_policy({.kind = kind, .seed = seed, .steps = 20}));
  const toy::Outcome first = run(recorder);
  Steered steered(switches_of(recorder.recording(), 3));
  CHECK(run(steered).order == first.order);
}

TEST_CASE("without switches a thread goes on until it yields or ends") {
  Steered steered({});
  CHECK(run(steered).order == std::vector<FiberId>{0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4});
}

TEST_CASE("a switch to a thread that cannot run is none") {
  Steered steered({{1, 1, 77}, {1, 2, 3}});
  CHECK(run(steered).order[0] == 0);
  Steered second({{1, 1, 77}, {1, 2, 3}});
  CHECK(run(second).order[1] == 3);
}

TEST_CASE("a file of switches is a replay policy, each launch with its own") {
  const auto path = std::filesystem::temp_directory_path() / ("warpfiber_steered_test." + std::to_string(::getpid()));
  const auto write = [&](const std::string& text) { std::ofstream(path) << kSwitchesFirstLine << '\n' << text; };
  std::ostringstream text;
  write_switches(text, Switches{{1, 1, 3}, {2, 1, 2}});
  write(text.str());
  auto options = parse_policy("replay:" + path.string());
  REQUIRE(options.ok());
  PolicyOptions first = options.value();
  CHECK(run(*make_policy(first)).order[0] == 3);
  first.launch = 2;
  CHECK(run(*make_policy(first)).order[0] == 2);
  first.launch = 3;
  CHECK(run(*make_policy(first)).order[0] == 0);
  write("1 17\n");
  CHECK_THAT(warpfiber::report::reason_text(parse_policy("replay:" + path.string()).error()),
             ContainsSubstring(":2: not a switch"));
  std::filesystem::remove(path);
}
