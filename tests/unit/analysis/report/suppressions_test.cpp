// SPDX-License-Identifier: Apache-2.0
//
// What a line of a suppression file covers, and what is said of a line that makes no sense.
#include "report/catalogue/suppressions.hpp"

#include <string>

#include "support/catch.hpp"

using Catch::Matchers::ContainsSubstring;
using namespace warpfiber;
using namespace warpfiber::report;
using record::Finding;
using record::Role;

namespace {

Finding race(const std::string& kernel, const std::string& file, unsigned line) {
  Finding finding{.verdict = record::Verdict::race_global};
  finding.launch.kernel = kernel;
  finding.parties = {{.role = Role::write, .place = {"/src/other.cuh", 3}},
                     {.role = Role::read, .place = {file, line}}};
  return finding;
}

bool covered(const std::string& text, const Finding& finding) {
  const auto parsed = parse_suppressions(text, "known.txt");
  REQUIRE(parsed.error().empty());
  return is_suppressed(parsed.value(), finding);
}

}  // namespace

TEST_CASE("a suppression covers findings by id, kernel, file and line") {
  const Finding finding = race("histogram<int>", "/src/histogram.cu", 41);
  CHECK(covered("race-global", finding));
  CHECK(covered("*", finding));
  CHECK(covered("race-global histogram*", finding));
  CHECK(covered("race-global * histogram.cu", finding));
  CHECK(covered("* * /src/*:41", finding));
  CHECK(covered("* * other.cuh:3", finding));
  CHECK(covered("# comment\n\n  race-shared\nrace-global\thistogram<int>  histogram.cu:41  # seen\n", finding));

  CHECK_FALSE(covered("", finding));
  CHECK_FALSE(covered("race-shared", finding));
  CHECK_FALSE(covered("race-global histogram", finding));
  CHECK_FALSE(covered("race-global * histogram.cu:42", finding));
  CHECK_FALSE(covered("race-global * gram.cu", finding));
}

TEST_CASE("a finding without a known place is covered where any file is meant") {
  Finding finding{.verdict = record::Verdict::deadlock};
  CHECK(covered("deadlock", finding));
  CHECK_FALSE(covered("deadlock * a.cu", finding));
}

TEST_CASE("a broken line is named by file and number") {
  struct Case {
    const char* text;
    const char* complaint;
  };
  const Case broken = GENERATE(values<Case>({
      {"race-shard", "known.txt:1: 'race-shard' is not the id"},
      {"# fine\nrace-shared * a.cu:x", "known.txt:2: 'x' is not a line number"},
      {"race-shared * a.cu:0", "known.txt:1: '0' is not a line number"},
      {"race-shared * a.cu:99999999999", "known.txt:1: '99999999999' is not a line number"},
      {"race-shared * :4", "known.txt:1: ':4' does not name a file"},
      {"\n\n* * * *", "known.txt:3: too many fields"},
  }));
  CHECK_THAT(parse_suppressions(broken.text, "known.txt").error(), ContainsSubstring(broken.complaint));
}

TEST_CASE("a file that is not there is a complaint") {
  CHECK_THAT(read_suppressions("/nowhere/known.txt").error(), ContainsSubstring("/nowhere/known.txt: "));
}
