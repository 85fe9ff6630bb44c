// SPDX-License-Identifier: Apache-2.0
//
// Policies and seeds from text, and what is said about text that is neither.
#include "schedule/options.hpp"

#include <unistd.h>
#include <filesystem>
#include <fstream>
#include <string>

#include "report/reasons/reasons.hpp"
#include "support/catch.hpp"

using namespace warpfiber::schedule;
using Catch::Matchers::ContainsSubstring;

TEST_CASE("a policy survives its text") {
  const auto [text, kind, depth, steps] = GENERATE(table<std::string, PolicyKind, unsigned, std::uint64_t>({
      {"in-order", PolicyKind::in_order, 3u, 1000u},
      {"random", PolicyKind::random, 3u, 1000u},
      {"pct", PolicyKind::pct, 3u, 1000u},
      {"pct:1", PolicyKind::pct, 1u, 1000u},
      {"pct:64:1", PolicyKind::pct, 64u, 1u},
      {"lock-step", PolicyKind::lock_step, 3u, 1000u},
      {"pct:2:5000000000", PolicyKind::pct, 2u, 5000000000u},
  }));
  const auto options = parse_policy(text);
  REQUIRE(options.ok());
  CHECK(options.value().kind == kind);
  CHECK(options.value().depth == depth);
  CHECK(options.value().steps == steps);
  const auto again = parse_policy(policy_text(options.value()));
  REQUIRE(again.ok());
  CHECK(again.value().kind == kind);
  CHECK(again.value().depth == depth);
  CHECK(again.value().steps == steps);
}

TEST_CASE("text that names no policy is refused with what would be right") {
  const auto [text, complaint] = GENERATE(table<std::string, std::string>({
      {"",
       "no schedule policy \"\": use in-order, random, pct:DEPTH, pct:DEPTH:STEPS, delays, lock-step or replay:FILE"},
      {"fair", "no schedule policy \"fair\""},
      {"In-Order", "no schedule policy \"In-Order\""},
      {"in-order:3", "in-order takes no \":3\""},
      {"lock-step:2", "lock-step takes no \":2\""},
      {"random:7", "random takes no \":7\""},
      {"pct:", "a whole number from 1 to 64, not \"\""},
      {"pct:0", "a whole number from 1 to 64, not \"0\""},
      {"pct:65", "a whole number from 1 to 64, not \"65\""},
      {"pct:-1", "not \"-1\""},
      {"pct:3:0", "a whole number from 1, not \"0\""},
      {"pct:3:many", "a whole number from 1, not \"many\""},
      {"replay", "needs the file"},
      {"replay:", "needs the file"},
      {"replay:/nowhere/run.schedule",
       "cannot read the recorded schedule /nowhere/run.schedule: No such file or directory"},
  }));
  const auto options = parse_policy(text);
  CHECK_FALSE(options.ok());
  CHECK_THAT(warpfiber::report::reason_text(options.error()), ContainsSubstring(complaint));
}

TEST_CASE("a replay policy brings its recording along") {
  const auto path = std::filesystem::temp_directory_path() / ("warpfiber_options_test." + std::to_string(::getpid()));
  const Recording recording{{0xaa, 5}, {0xbb, 7}};
  std::ofstream file(path);
  write_recording(file, recording);
  file.close();
  const std::string text = "replay:" + path.string();
  const auto options = parse_policy(text);
  std::filesystem::remove(path);
  REQUIRE(options.ok());
  CHECK(options.value().kind == PolicyKind::replay);
  CHECK(options.value().recording == recording);
  CHECK(policy_text(options.value()) == text);
}

TEST_CASE("seeds are read in both bases") {
  CHECK(parse_seed("0x5d1").value() == 0x5d1);
  CHECK(parse_seed("1489").value() == 1489);
  CHECK(parse_seed("0xffffffffffffffff").value() == ~std::uint64_t{0});
  const std::string text = GENERATE("", "0x", "5d1", "-1", "0x10000000000000000", "1.5", " 1");
  CHECK_THAT(warpfiber::report::reason_text(parse_seed(text).error()), ContainsSubstring("not \"" + text + "\""));
}
