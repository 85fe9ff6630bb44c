// SPDX-License-Identifier: Apache-2.0
//
// The vocabulary is in order and complete.
#include "record/verdicts.hpp"

#include <algorithm>
#include <string>

#include "support/catch.hpp"

using namespace warpfiber::record;

TEST_CASE("verdicts are sorted, distinct, and mean something") {
  CHECK(std::ranges::adjacent_find(verdicts(), std::ranges::greater_equal{}, &Verdict::id) == verdicts().end());
  for (const Verdict& verdict : verdicts()) {
    CHECK_FALSE(verdict.meaning.empty());
    CHECK(meaning_of(verdict.id) == verdict.meaning);
  }
}

TEST_CASE("words that are no verdicts mean nothing") {
  const std::string word = GENERATE("", "dead", "deadlocks", "zebra", "a");
  CHECK(meaning_of(word).empty());
}
