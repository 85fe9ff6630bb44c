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

/// Of two stores at a line to `offset` bytes behind the beginning of an object.
record::Finding stores(const char* id, unsigned line, std::uint64_t offset, std::uint64_t base = 0x1000) {
  record::Finding made = finding(id, line);
  made.parties.front().role = record::Role::write;
  made.parties.push_back(made.parties.front());
  made.object = record::Object{.address = base + offset, .bytes = record::Bytes{offset, 4, 64}};
  return made;
}

std::vector<std::string> ids_without_notes(std::vector<record::Finding> findings) {
  runtime::leave_out_explained_notes(findings);
  std::vector<std::string> ids;
  for (const record::Finding& one : findings) ids.push_back(one.id);
  return ids;
}

using Ids = std::vector<std::string>;

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

TEST_CASE("a read outside an array is no finding beside the write outside of the same array") {
  record::Finding read = stores("oob-index", 9, 64);
  read.parties.front().role = record::Role::read;
  const record::Finding write = stores("oob-shared", 7, 64);
  CHECK(is_of_known_defect(read, {write}));
  CHECK_FALSE(is_of_known_defect(read, {stores("oob-shared", 7, 64, 0x2000)}));
  CHECK_FALSE(is_of_known_defect(stores("oob-index", 9, 64), {write}));
}

TEST_CASE("a read of unwritten memory is a consequence of the call that should have written it") {
  using runtime::is_left_unwritten_by;
  const record::Finding read = stores("uninit-global", 9, 4);
  record::Finding copy = finding("refused-call", 7);
  CHECK_FALSE(is_left_unwritten_by(copy, read));
  copy.left_unwritten = 0x1000;
  CHECK(is_left_unwritten_by(copy, read));
  CHECK_FALSE(is_left_unwritten_by(copy, stores("uninit-global", 9, 4, 0x2000)));
  CHECK_FALSE(is_left_unwritten_by(copy, stores("race-global", 9, 4)));
  CHECK(is_left_unwritten_by(finding("launch-error", 7), read));
  CHECK_FALSE(is_left_unwritten_by(finding("deadlock", 7), read));
}

TEST_CASE("what the host copies unwritten is a consequence of any refused call") {
  record::Finding read = stores("uninit-global", 9, 0);
  read.parties.front().who.unit = record::Unit::host;
  CHECK(runtime::is_left_unwritten_by(finding("refused-call", 7), read));
}

TEST_CASE("stores of one value are no finding beside an access out of bounds at their line") {
  for (const char* cause : {"oob-shared", "oob-global", "oob-index"}) {
    CHECK(ids_without_notes({stores("benign-race", 8, 4), finding(cause, 8)}) == Ids{cause});
    CHECK(ids_without_notes({finding(cause, 9), stores("benign-race", 8, 4)}) == Ids{cause, "benign-race"});
  }
  record::Finding address = finding("oob-index", 8);
  address.needs_access_at.emplace();
  CHECK(ids_without_notes({address, stores("benign-race", 8, 4)}) == Ids{"oob-index", "benign-race"});
}

TEST_CASE("equal bytes of a store are no finding beside the race of its other bytes") {
  const record::Finding equal = stores("benign-race", 7, 0);
  CHECK(ids_without_notes({equal, stores("race-global", 7, 4)}) == Ids{"race-global"});
  CHECK(ids_without_notes({equal, stores("race-global", 8, 4)}) == Ids{"benign-race", "race-global"});
  CHECK(ids_without_notes({equal, stores("race-global", 7, 4, 0x2000)}) == Ids{"benign-race", "race-global"});
  record::Finding read = stores("race-global", 8, 4);
  read.parties.back() = finding("race-global", 7).parties.front();
  read.parties.back().role = record::Role::read;
  CHECK(ids_without_notes({equal, read}) == Ids{"benign-race", "race-global"});
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
