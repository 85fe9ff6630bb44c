// SPDX-License-Identifier: Apache-2.0
//
// Which differences between the runs of two schedules are the schedules' doing, and the finding that is made of them.
#include "tools/check/comparing/difference.hpp"

#include <cstdint>
#include <cstring>
#include <sstream>
#include <vector>

#include "support/catch.hpp"
#include "tools/check/comparing/nondeterminism.hpp"

using Catch::Matchers::ContainsSubstring;
using namespace warpfiber;
using namespace warpfiber::tools::check;

namespace {

using Words = std::vector<std::uint32_t>;

CopyResult copied(const Words& words, std::size_t kept = 1000) {
  std::string bytes(words.size() * sizeof(std::uint32_t), '\0');
  std::memcpy(bytes.data(), words.data(), bytes.size());
  return {.call = "cudaMemcpy",
          .place = {{"file", "/src/a.cu"}, {"line", 7}},
          .bytes = bytes.size(),
          .hash = std::hash<std::string>{}(bytes),
          .kept = bytes.substr(0, kept)};
}

RunOutcome printing(const std::string& output, int status = 0) {
  return {.status = status, .output = output};
}

RunOutcome copying(const std::vector<CopyResult>& results) {
  return {.results = results};
}

using Runs = std::vector<RunOutcome>;

}  // namespace

TEST_CASE("of a spoiled file of copies those are read that are whole") {
  const std::string place = R"({"file":"a.cu","line":9,"function":"main"})";
  const auto copy = [](const std::string& rest) {
    return R"({"number":1,"call":"cudaMemcpy","bytes":4,)" + rest + "}\nabcd\n";
  };
  const auto read = [](const std::string& text) {
    std::istringstream file(text);
    return parse_results(file);
  };
  const std::string good =
      copy(R"("kept":4,"hash":1,"place":)" + place + R"(,"object":{"name":"out","declared":null})");
  REQUIRE(read(good + good).size() == 2);
  CHECK(read(good).front().kept == "abcd");
  CHECK(read(good + "[1]\nabcd\n").size() == 1);
  CHECK(read(good + copy(R"("kept":18446744073709551615)")).size() == 1);
  CHECK(read(good + copy(R"("kept":"4")")).size() == 1);
  CHECK(read(good + copy(R"("kept":3)")).size() == 1);
  CHECK(read(good + std::string(200000, '[') + "\n").size() == 1);
  for (const std::string other : {R"("place":{"file":null,"line":null})", R"("place":[])",
                                  R"("object":{"name":7,"declared":"x"})", R"("object":"x","number":-1,"hash":{})"}) {
    INFO(other);
    const Runs one{copying(read(good))};
    const Runs changed{copying(read(copy("\"kept\":4," + other)))};
    REQUIRE(changed.front().results.size() == 1);
    CHECK_NOTHROW(nondeterminism({1, changed}, {2, one}, true));
  }
}

TEST_CASE("equal runs differ in nothing") {
  const Runs runs{{.status = 1, .output = "a\n", .results = {copied({1, 2})}}};
  CHECK_FALSE(difference_of(runs, runs).any());
}

TEST_CASE("exit codes differ if each schedule has its own") {
  CHECK(difference_of(Runs{printing("", 0), printing("", 0)}, Runs{printing("", 3), printing("", 3)}).status ==
        std::pair(0, 3));
  CHECK_FALSE(difference_of(Runs{printing("", 0), printing("", 3)}, Runs{printing("", 3), printing("", 3)}).any());
}

TEST_CASE("a word of a line is the schedule's doing if it is the same in each of its runs") {
  const Runs one{printing("head\nsum 1 in 20 ms\n"), printing("head\nsum 1 in 21 ms\n")};
  const RunDifference found =
      difference_of(one, Runs{printing("head\nsum 2 in 20 ms\n"), printing("head\nsum 2 in 22 ms")});
  REQUIRE(found.line.has_value());
  CHECK(found.line->line == 2);
  CHECK(found.line->one == "sum 1 in 20 ms");
  CHECK(found.line->other == "sum 2 in 20 ms");
  CHECK(found.is_visible());
  CHECK_FALSE(difference_of(one, Runs{printing("head\nsum 1 in 24 ms\n"), printing("head\nsum 1 in 25 ms\n")}).any());
}

TEST_CASE("a line that only one schedule prints is a difference") {
  const RunDifference found = difference_of(Runs{printing("a\n")}, Runs{printing("a\nb\n")});
  REQUIRE(found.line.has_value());
  CHECK(found.line->line == 2);
  CHECK(found.line->other == "b");
}

TEST_CASE("lines in another order are nothing that a user sees") {
  const RunDifference found = difference_of(Runs{printing("a\nb\n")}, Runs{printing("b\na\n")});
  CHECK(found.any());
  CHECK_FALSE(found.is_visible());
}

TEST_CASE("the first byte of the first copy that differs is named, unless a clock or an address is in it") {
  const Runs one{copying({copied({5, 1}), copied({7, 100, 3, 9})}), copying({copied({5, 1}), copied({7, 200, 3, 9})})};
  const Runs other{copying({copied({5, 1}), copied({7, 300, 3, 8})}),
                   copying({copied({5, 1}), copied({7, 400, 3, 8})})};
  const RunDifference found = difference_of(one, other);
  REQUIRE(found.copy.has_value());
  CHECK(found.copy->result == 1);
  CHECK(found.copy->first_byte == 12);
  CHECK_FALSE(difference_of(one, Runs{one[1], one[0]}).any());
}

TEST_CASE("bytes beyond those that were kept differ by their hash") {
  const RunDifference found = difference_of(Runs{copying({copied({1, 2}, 4)})}, Runs{copying({copied({1, 3}, 4)})});
  REQUIRE(found.copy.has_value());
  CHECK_FALSE(found.copy->first_byte.has_value());
}

TEST_CASE("copies count where nothing is printed, or if everything is to be told") {
  RunOutcome first = copying({copied({1, 2})});
  RunOutcome second = copying({copied({1, 3})});
  const auto found = [&](bool strict) {
    return nondeterminism({.seed = 1, .runs = std::span(&first, 1)}, {.seed = 4, .runs = std::span(&second, 1)},
                          strict);
  };
  const auto told = found(false);
  REQUIRE(told.has_value());
  CHECK(told->verdict == record::Verdict::nondeterminism);
  CHECK(told->severity == record::Severity::warning);
  REQUIRE(told->parties.size() == 1);
  CHECK(told->parties[0].place.line == 7);
  CHECK(told->parties[0].what == "cudaMemcpy");
  CHECK(told->parties[0].detail == "word 1 (bytes 4..7 of 8) is 2 with seed 1 and 3 with seed 4");
  first.output = second.output = "PASS\n";
  CHECK_FALSE(found(false).has_value());
  CHECK(found(true).has_value());
  second.output = "FAIL\n";
  CHECK_THAT(found(false)->why, ContainsSubstring("Line 1 of the output is \"PASS\""));
  second.status = 1;
  CHECK(found(false)->severity == record::Severity::error);
}

TEST_CASE("words that look like floating-point numbers are told as such") {
  const auto word = [](float value) {
    std::uint32_t bits = 0;
    std::memcpy(&bits, &value, sizeof bits);
    return bits;
  };
  const RunOutcome first = copying({copied({word(0.5F)})});
  const RunOutcome second = copying({copied({word(0.75F)})});
  const auto found = nondeterminism({1, std::span(&first, 1)}, {2, std::span(&second, 1)}, false);
  REQUIRE(found.has_value());
  CHECK(found->parties[0].detail == "word 0 (bytes 0..3 of 4) is 0.5 with seed 1 and 0.75 with seed 2");
}
