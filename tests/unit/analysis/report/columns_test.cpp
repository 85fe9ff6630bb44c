// SPDX-License-Identifier: Apache-2.0
//
// Text in columns: widths count characters, wrapping loses nothing.
#include "report/columns.hpp"

#include <string>

#include "base/random.hpp"
#include "support/catch.hpp"

using namespace warpfiber::report;

TEST_CASE("columns count characters, not bytes") {
  CHECK(columns("") == 0);
  CHECK(columns("(0,0,0) … (1,0,0)") == 17);
  CHECK(padded("…", 3) == "…  ");
  CHECK(padded("four", 3) == "four");
}

TEST_CASE("wrapped lines fit and join to the same text") {
  warpfiber::base::Random random(GENERATE(range(0u, 10u)));
  std::string text;
  for (int word = 0; word < 60; ++word) {
    if (word > 0) text += ' ';
    for (std::uint64_t i = 0; i <= random.below(12); ++i) text += i % 5 == 4 ? "ö" : "o";
  }
  const std::size_t width = 12 + random.below(40);
  std::string joined;
  for (const std::string& line : wrapped(text, width)) {
    CHECK(columns(line) <= width);
    joined += (joined.empty() ? "" : " ") + line;
  }
  CHECK(joined == text);
}

TEST_CASE("a word longer than the line stands alone") {
  CHECK(wrapped("a bbbbbbbbbb c", 4) == std::vector<std::string>{"a", "bbbbbbbbbb", "c"});
  CHECK(wrapped("", 4).empty());
}
