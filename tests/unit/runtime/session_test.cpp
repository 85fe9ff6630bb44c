// SPDX-License-Identifier: Apache-2.0
// What the environment says about every launch of a process. Each case starts a program of its own.
#include <cstdio>
#include <string>

#include "support/catch.hpp"

using Catch::Matchers::ContainsSubstring;

namespace {

std::string output_of(const std::string& command) {
  std::string text;
  FILE* pipe = ::popen(command.c_str(), "r");
  REQUIRE(pipe != nullptr);
  char part[512];
  for (std::size_t size; (size = std::fread(part, 1, sizeof part, pipe)) > 0;) text.append(part, size);
  ::pclose(pipe);
  return text;
}

/// Neither variables of the caller nor its terminal matter.
std::string command(const std::string& variables, const std::string& mode) {
  return "env -i " + variables + " " WARPFIBER_SESSION_CHILD " " + mode;
}

std::string output(const std::string& variables, const std::string& mode) {
  return output_of(command(variables, mode) + " 2>/dev/null");
}

std::string complaints(const std::string& variables, const std::string& mode) {
  return output_of(command(variables, mode) + " 2>&1 >/dev/null");
}

}  // namespace

TEST_CASE("without variables a launch runs in order on an H200, and its report goes to standard error") {
  CHECK_THAT(output("", "order"), ContainsSubstring("cudaSuccess") && ContainsSubstring("\n0 1 2 3 4 5 6"));
  CHECK_THAT(output("", "active"), ContainsSubstring("ffffffff"));
  CHECK_THAT(output("", "trap"),
             ContainsSubstring("cudaErrorLaunchFailure trap") && ContainsSubstring("on H200 (model)"));
  CHECK_THAT(complaints("", "trap"), ContainsSubstring("\ntrap  lambda<<<(3,1,1), (64,1,1)>>>, on H200 (model)\n"));
  CHECK_THAT(output("", "frame"), ContainsSubstring("stack-overflow"));
}

TEST_CASE("variables choose device, policy, seed, convergence and stack size") {
  CHECK_THAT(output("WARPFIBER_DEVICE=teaching", "trap"), ContainsSubstring("on teaching (model)"));
  CHECK_THAT(output("WARPFIBER_DEVICE=a100", "trap"), ContainsSubstring("on A100 (model)"));
  CHECK_THAT(output("WARPFIBER_STACK=200000", "frame"), ContainsSubstring("cudaSuccess"));
  CHECK_THAT(output("WARPFIBER_CONVERGENCE=none", "active"), ContainsSubstring("80000000"));
  const std::string in_order = output("", "order");
  const std::string one = output("WARPFIBER_POLICY=random WARPFIBER_SEED=1", "order");
  CHECK(one != in_order);
  CHECK(one == output("WARPFIBER_POLICY=random WARPFIBER_SEED=0x1", "order"));
  CHECK(one != output("WARPFIBER_POLICY=random WARPFIBER_SEED=2", "order"));
  CHECK(one != output("WARPFIBER_POLICY=pct:3 WARPFIBER_SEED=1", "order"));
}

TEST_CASE("the report says how to get it again") {
  const std::string report = output("WARPFIBER_POLICY=random WARPFIBER_SEED=0x5d1 WARPFIBER_WORKERS=1", "trap");
  CHECK_THAT(report, ContainsSubstring("again  WARPFIBER_SEED=0x5d1 WARPFIBER_POLICY=random"));
  CHECK_THAT(report, ContainsSubstring(" trap\n"));
}

TEST_CASE("a quiet session prints no reports, a coloured one prints them in colours") {
  CHECK(complaints("WARPFIBER_QUIET=1", "trap").empty());
  CHECK_THAT(output("WARPFIBER_QUIET=1", "trap"), ContainsSubstring("trap  lambda"));
  CHECK_THAT(complaints("WARPFIBER_COLOUR=1", "trap"), ContainsSubstring("\033["));
  CHECK_THAT(output("WARPFIBER_COLOUR=1", "trap"), !ContainsSubstring("\033["));
  CHECK_THAT(complaints("", "trap"), !ContainsSubstring("\033["));
}

TEST_CASE("a variable that makes no sense is named, with what would") {
  struct Case {
    const char* variable;
    const char* wanted;
  };
  const Case wrong = GENERATE(values<Case>({
      {"WARPFIBER_DEVICE=H300", "H200"},
      {"WARPFIBER_WORKERS=0", "a number from 1 to 1024"},
      {"WARPFIBER_WORKERS=many", "a number from 1 to 1024"},
      {"WARPFIBER_STACK=4096", "a number from 8192"},
      {"WARPFIBER_SEED=lucky", "lucky"},
      {"WARPFIBER_POLICY=sideways", "in-order"},
      {"WARPFIBER_CONVERGENCE=half", "full, random or none"},
      {"WARPFIBER_WATCHDOG=-1", "a number from 0"},
  }));
  CAPTURE(wrong.variable);
  const std::string text = complaints(wrong.variable, "order");
  CHECK_THAT(text, ContainsSubstring(std::string("warpfiber: ") + wrong.variable));
  CHECK_THAT(text, ContainsSubstring(wrong.wanted));
}

TEST_CASE("the watchdog ends a thread that computes for ever") {
  const std::string report = output("WARPFIBER_WATCHDOG=1", "endless");
  CHECK_THAT(report, ContainsSubstring("cudaErrorLaunchTimeout livelock"));
  CHECK_THAT(report, ContainsSubstring("session_child.cpp:"));
}
