// SPDX-License-Identifier: Apache-2.0
//
// The text report: approved outputs for every sample, and what holds for any finding.
#include "report/text.hpp"

#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

#include "report/columns.hpp"
#include "support/catch.hpp"
#include "support/golden.hpp"
#include "unit/analysis/report/samples.hpp"

using namespace warpfiber;
using namespace warpfiber::report;
using Catch::Matchers::ContainsSubstring;
using record::Finding;
using record::Party;
using record::Role;

namespace {

class NoSources final : public SourceText {
 public:
  std::optional<std::string> line(const std::string&, unsigned) override { return std::nullopt; }
};

std::string text_of(const Finding& finding, const TextStyle& style = {}) {
  samples::Sources sources;
  return render_text(finding, sources, style);
}

std::vector<std::string> lines_of(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

std::string without_escapes(const std::string& text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\x1b') {
      i = text.find('m', i);
    } else {
      plain += text[i];
    }
  }
  return plain;
}

/// `count` threads waiting, each at a line of its own.
Finding crowd(unsigned count) {
  Finding finding{.verdict = record::Verdict::deadlock,
                  .launch = {.kernel = "k", .block = {1024, 1, 1}},
                  .why = "Nobody comes.",
                  .fix = "Go."};
  for (unsigned i = 0; i < count; ++i)
    finding.parties.push_back({.role = Role::wait,
                               .who = record::members_of_threads(finding.launch, std::vector<std::uint64_t>{i}),
                               .place = {"k.cu", 10 + i},
                               .what = "__syncthreads()"});
  return finding;
}

}  // namespace

TEST_CASE("every sample has its approved text") {
  for (const samples::Sample& sample : samples::all())
    test::check_golden("report/" + sample.name + ".txt", text_of(sample.finding));
}

TEST_CASE("a report fits its screen and ends in a newline") {
  for (const samples::Sample& sample : samples::all()) {
    INFO(sample.name);
    const std::size_t width = GENERATE(80u, 100u, 128u);
    const std::string text = text_of(sample.finding, {.width = width});
    CHECK(text.back() == '\n');
    const std::vector<std::string> lines = lines_of(text);
    CHECK(lines.size() <= 24);
    const auto longest = std::ranges::max(lines, {}, [](const std::string& line) { return columns(line); });
    if (width == 128) CHECK(columns(longest) <= width);
    for (const std::string& line : lines) CHECK_FALSE(line.ends_with(' '));
  }
}

TEST_CASE("colours change nothing but the colour") {
  for (const samples::Sample& sample : samples::all()) {
    const std::string coloured = text_of(sample.finding, {.colour = true});
    CHECK(coloured != text_of(sample.finding));
    CHECK(without_escapes(coloured) == text_of(sample.finding));
  }
  CHECK(text_of(samples::find("exception")).find('\x1b') == std::string::npos);
}

TEST_CASE("what does not fit the screen is counted, not dropped silently") {
  const unsigned parties = GENERATE(3u, 20u, 21u, 22u, 40u, 500u);
  const std::string text = text_of(crowd(parties));
  const std::vector<std::string> lines = lines_of(text);
  CHECK(lines.size() <= 24);
  const auto shown =
      std::ranges::count_if(lines, [](const std::string& line) { return line.find("k.cu:") != line.npos; });
  const unsigned hidden = parties - static_cast<unsigned>(shown);
  CHECK(lines.back() == "  fix    Go.");
  if (hidden == 0) {
    CHECK(text.find("like these") == std::string::npos);
  } else {
    CHECK(hidden > 1);
    CHECK_THAT(text, ContainsSubstring("  and " + std::to_string(hidden) + " more places like these\n"));
  }
}

TEST_CASE("two parties are shown however small the screen is") {
  const std::vector<std::string> lines = lines_of(text_of(crowd(5), {.lines = 1}));
  CHECK(lines.size() == 6);
  CHECK(lines[3] == "  and 3 more places like these");
}

TEST_CASE("without sources the operation is named") {
  NoSources none;
  const std::string text = render_text(samples::find("deadlock_shuffle_barrier"), none, {});
  CHECK_THAT(text, ContainsSubstring("exchange.cu:9   __shfl_down_sync()  lanes 0-15 of warp 0"));
}

TEST_CASE("files that share their last name are told apart by the whole path") {
  Finding finding = crowd(3);
  finding.parties[1].place.file = "a/main.cu";
  finding.parties[2].place.file = "b/main.cu";
  const std::string text = text_of(finding);
  CHECK_THAT(text, ContainsSubstring(" k.cu:10 "));
  CHECK_THAT(text, ContainsSubstring(" a/main.cu:11 "));
  CHECK_THAT(text, ContainsSubstring(" b/main.cu:12 "));
}

TEST_CASE("a file that is known by a part of its path only is no other") {
  Finding finding = crowd(3);
  finding.parties[0].place.file = "/home/k/main.cu";
  finding.parties[1].place.file = "main.cu";
  finding.parties[2].place.file = "k/main.cu";
  std::string text = text_of(finding);
  CHECK_THAT(text, ContainsSubstring(" main.cu:10 "));
  CHECK_THAT(text, ContainsSubstring(" main.cu:11 "));
  CHECK_THAT(text, ContainsSubstring(" main.cu:12 "));
  finding.parties[1].place.file = "../main.cu";  // as seen from a folder beside it
  finding.parties[2].place.file = "../../k/main.cu";
  text = text_of(finding);
  CHECK_THAT(text, ContainsSubstring(" main.cu:11 "));
  CHECK_THAT(text, ContainsSubstring(" main.cu:12 "));
}

TEST_CASE("only errors go without a mark") {
  Finding finding = crowd(1);
  CHECK(lines_of(text_of(finding))[0].starts_with("deadlock  k<<<"));
  finding.severity = record::Severity::warning;
  CHECK(lines_of(text_of(finding))[0].starts_with("deadlock (warning)  k<<<"));
  finding.severity = record::Severity::info;
  CHECK(lines_of(text_of(finding))[0].starts_with("deadlock (info)  k<<<"));
}

TEST_CASE("a finding about memory is headed by it") {
  Finding finding = crowd(2);
  finding.verdict = record::Verdict::race_shared;
  finding.object =
      record::ObjectFacts{.name = "s[65]", .type = "int", .bytes = record::Bytes{260, 4, 512}, .declared = {"k.cu", 5}};
  const std::vector<std::string> lines = lines_of(text_of(finding));
  CHECK(lines[0] == "race-shared  s[65] (int, bytes 260..263 of 512, declared k.cu:5)");
  CHECK(lines[1] == "  in k<<<(1,1,1), (1024,1,1)>>>");
}

TEST_CASE("a long cycle keeps its beginning and its end") {
  Finding finding = crowd(20);
  for (std::size_t i = 0; i < 20; ++i) finding.cycle.push_back({i});
  const std::string text = text_of(finding, {.lines = 40});
  CHECK_THAT(text, ContainsSubstring("  cycle  thread (0,0,0) waits at k.cu:10 for thread (1,0,0)\n"));
  CHECK_THAT(text, ContainsSubstring("         … 15 more steps …\n"));
  CHECK_THAT(text, ContainsSubstring("         thread (19,0,0) waits at k.cu:29 for thread (0,0,0)\n"));
}

TEST_CASE("a finding that knows nothing still names itself") {
  CHECK(text_of({.verdict = record::Verdict::trap}) == "trap  a kernel\n");
}

TEST_CASE("long text of an exception goes below its thread, wrapped") {
  Finding finding = crowd(1);
  finding.parties[0].role = Role::throws;
  finding.parties[0].place = {};
  finding.parties[0].what = "std::runtime_error: word";
  for (int i = 0; i < 60; ++i) finding.parties[0].what += " and word";
  const std::vector<std::string> lines = lines_of(text_of(finding));
  CHECK(lines[1] == "  1 thread throws  thread (0,0,0)");
  CHECK(lines[2].starts_with("                   std::runtime_error: word and word"));
  for (const std::string& line : lines) CHECK(columns(line) <= 128);
}

TEST_CASE("names of kernels are cut where they would fill the screen") {
  Finding finding = crowd(1);
  finding.launch.kernel = std::string(500, 'k');
  CHECK(columns(lines_of(text_of(finding))[0]) < 110);
}

TEST_CASE("Calls stand below those who wait, and those of further members behind them") {
  Finding finding = crowd(1);
  finding.parties[0].place = {"meet.cu", 4, 0, "meet(int*)"};
  finding.parties[0].stack = {{"meet.cu", 11, 0, "left(int*)"}, {"meet.cu", 21, 0, "k(int*)"}};
  CHECK_THAT(text_of(finding), ContainsSubstring("called at meet.cu:11 in left\n"));
  CHECK_THAT(text_of(finding), !ContainsSubstring("some called"));
  finding.parties[0].other_stacks = {{{"meet.cu", 15, 0, "right(int*)"}, {"meet.cu", 23, 0, "k(int*)"}}};
  const std::string text = text_of(finding);
  CHECK_THAT(text, ContainsSubstring("some called at meet.cu:11 in left\n"));
  CHECK(text.find("others called at meet.cu:15 in right") > text.find("called at meet.cu:21 in k"));
}

TEST_CASE("Calls make room for places") {
  constexpr unsigned kPlaces = 12;
  Finding finding = crowd(kPlaces);
  const std::string without = text_of(finding);
  for (Party& party : finding.parties) {
    party.stack = {{"meet.cu", 11, 0, "left(int*)"}, {"meet.cu", 21, 0, "k(int*)"}, {"meet.cu", 31, 0, "main"}};
  }
  REQUIRE_THAT(without, !ContainsSubstring("more place"));
  CHECK_THAT(text_of(finding), !ContainsSubstring("more place"));
}

TEST_CASE("a report has no control characters but its own colours") {
  Finding finding = crowd(2);
  finding.launch.kernel = "k\x1b[2J\x7f";
  finding.why = "Nobody\x07 comes.";
  finding.again = "./größe\x01\r.cu";
  const std::string plain = text_of(finding);
  CHECK(std::ranges::none_of(plain, [](char c) { return (c >= 0 && c < ' ' && c != '\n') || c == 0x7f; }));
  CHECK_THAT(plain, ContainsSubstring("k\\x1b[2J\\x7f") && ContainsSubstring("\\x07"));
  CHECK_THAT(plain, ContainsSubstring("./größe\\x01\\x0d.cu"));
  const std::string coloured = text_of(finding, {.colour = true});
  CHECK(coloured.find("\x1b[2J") == std::string::npos);
  CHECK(without_escapes(coloured) == plain);
}
