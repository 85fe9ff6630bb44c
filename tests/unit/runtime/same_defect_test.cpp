// SPDX-License-Identifier: Apache-2.0
#include "runtime/checking/same_defect.hpp"

#include "support/catch.hpp"

using namespace warpfiber;
using runtime::is_of_known_defect;

namespace {

record::Finding finding(const char* id, unsigned line) {
  record::Finding made;
  made.id = id;
  made.parties.emplace_back().place = {.file = "a.cu", .line = line};
  return made;
}

}  // namespace

TEST_CASE("an index outside an array is no finding beside the access outside of the object at its line") {
  const std::vector<record::Finding> known{finding("oob-shared", 8)};
  CHECK(is_of_known_defect(finding("oob-index", 8), known));
  CHECK_FALSE(is_of_known_defect(finding("oob-index", 9), known));
  CHECK_FALSE(is_of_known_defect(finding("oob-index", 8), {finding("race-shared", 8)}));
}

TEST_CASE("a race is no finding beside the index outside an array that a side had") {
  record::Finding race = finding("race-shared", 8);
  CHECK_FALSE(is_of_known_defect(race, {finding("oob-index", 8)}));
  race.after_bad_index = true;
  CHECK(is_of_known_defect(race, {finding("oob-index", 8)}));
  CHECK_FALSE(is_of_known_defect(race, {finding("oob-index", 9)}));
}

TEST_CASE("the address past the last row is no finding unless its line accesses memory") {
  record::Finding index = finding("oob-index", 8);
  index.needs_access_at.emplace();
  CHECK(is_of_known_defect(index, {}));
  index.needs_access_at->push_back({.file = "a.cu", .line = 9});
  CHECK(is_of_known_defect(index, {}));
  index.needs_access_at->push_back({.file = "a.cu", .line = 8});
  CHECK_FALSE(is_of_known_defect(index, {}));
}

TEST_CASE("accesses outside of objects come before indices, and indices before the rest") {
  std::vector<record::Finding> findings{finding("race-shared", 1), finding("oob-index", 2), finding("oob-shared", 3)};
  runtime::put_causes_first(findings);
  CHECK(findings[0].id == "oob-shared");
  CHECK(findings[1].id == "oob-index");
  CHECK(findings[2].id == "race-shared");
  CHECK(runtime::ends_first(finding("oob-global", 2), findings));
  CHECK_FALSE(runtime::ends_first(finding("deadlock", 2), findings));
}
