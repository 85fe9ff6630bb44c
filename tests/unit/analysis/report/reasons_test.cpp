// SPDX-License-Identifier: Apache-2.0
//
// Sentences of reasons: every template, and how each type of argument is written.
#include "report/reasons/reasons.hpp"

#include <string>
#include <vector>

#include "support/catch.hpp"

using namespace warpfiber;
using record::Reason;
using record::ReasonKind;
using report::reason_text;
using report::template_of;

namespace {

Reason stated_with(const record::ReasonArgument& argument) {
  Reason made(ReasonKind::stated);
  made.arguments.push_back(argument);
  return made;
}

/// With the number of its place for each argument, from 0.
Reason numbered(ReasonKind kind) {
  Reason made(kind);
  const std::string_view text = template_of(kind);
  for (std::size_t hole = text.find("{}"); hole != std::string_view::npos; hole = text.find("{}", hole + 2)) {
    made.arguments.emplace_back(std::uint64_t{made.arguments.size()});
  }
  return made;
}

}  // namespace

TEST_CASE("every kind of reason has a template of its own") {
  for (unsigned i = 1; i <= static_cast<unsigned>(record::kLastReasonKind); ++i) {
    const auto kind = static_cast<ReasonKind>(i);
    const std::string text = reason_text(numbered(kind));
    CAPTURE(i, text);
    CHECK_FALSE(text.empty());
    CHECK(text.find("  ") == std::string::npos);
    CHECK(text.find_first_of("{}") == std::string::npos);
  }
}

TEST_CASE("no reason has no text") {
  CHECK(Reason().empty());
  CHECK(reason_text({}).empty());
}

TEST_CASE("arguments are written as their types ask for") {
  CHECK(reason_text(stated_with(std::uint64_t{33660})) == "33660");
  CHECK(reason_text(stated_with(std::int64_t{-5})) == "-5");
  CHECK(reason_text(stated_with(record::Thousands{33660})) == "33,660");
  CHECK(reason_text(stated_with(record::Quantity{1, "SM"})) == "1 SM");
  CHECK(reason_text(stated_with(record::Quantity{2000, "step"})) == "2,000 steps");
  CHECK(reason_text(stated_with(record::ByteSize{160 * 1024})) == "160 KiB");
  CHECK(reason_text(stated_with(base::Triple{1, 2, 3})) == "(1,2,3)");
  CHECK(reason_text(stated_with(std::string("{} as it is"))) == "{} as it is");
  CHECK(reason_text(stated_with(std::vector<std::string>{"a", "b", "c"})) == "a, b, c");
}

TEST_CASE("a text without arguments needs no memory") {
  CHECK(report::fixed_text(ReasonKind::loop) == template_of(ReasonKind::loop));
}

TEST_CASE("a reason is a part of another") {
  const Reason inner(ReasonKind::share, 2U, 3U);
  CHECK(reason_text({ReasonKind::one_block_fits, "registers", inner}) == "one block fits an SM (registers: 2 of 3)");
}
