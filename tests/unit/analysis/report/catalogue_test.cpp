// SPDX-License-Identifier: Apache-2.0
//
// The catalogue is in order and complete.
#include "report/catalogue/catalogue.hpp"

#include <algorithm>
#include <string>

#include "support/catch.hpp"

using namespace warpfiber::report;

TEST_CASE("the catalogue has each verdict once, sorted by its id, with a meaning") {
  CHECK(std::ranges::adjacent_find(catalogue(), std::ranges::greater_equal{}, &CatalogueEntry::id) ==
        catalogue().end());
  CHECK(std::ranges::adjacent_find(catalogue(), std::ranges::greater_equal{}, &CatalogueEntry::verdict) ==
        catalogue().end());
  for (const CatalogueEntry& entry : catalogue()) {
    CHECK_FALSE(entry.meaning.empty());
    CHECK(&entry_of(entry.verdict) == &entry);
    CHECK(verdict_of(entry.id) == entry.verdict);
  }
}

TEST_CASE("an access outside of its object has the vendor's term of its memory") {
  using warpfiber::record::Verdict;
  CHECK(entry_of(Verdict::oob_shared).sanitizer_term == "Invalid __shared__");
  CHECK(entry_of(Verdict::use_after_free).sanitizer_term == entry_of(Verdict::oob_global).sanitizer_term);
  CHECK(entry_of(Verdict::deadlock).sanitizer_term.empty());
  // Those of races go on with both accesses: "Race reported between Write access at … and Read access at …".
  CHECK(entry_of(Verdict::race_shared).sanitizer_term.empty());
  CHECK(entry_of(Verdict::race_dsmem).sanitizer_term.empty());
}

TEST_CASE("a word that is no id is no verdict") {
  const std::string word = GENERATE("", "dead", "deadlocks", "zebra", "a");
  CHECK_FALSE(verdict_of(word).has_value());
}
