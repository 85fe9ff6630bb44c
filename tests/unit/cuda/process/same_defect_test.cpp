// SPDX-License-Identifier: Apache-2.0
#include "process/findings/same_defect.hpp"
#include "record/diagnosis.hpp"

#include "support/catch.hpp"

using namespace warpfiber;
using process::is_of_known_defect;
using record::Verdict;

namespace {

record::Finding finding(Verdict verdict, unsigned line) {
  record::Finding made;
  made.verdict = verdict;
  made.parties.emplace_back().place = {.file = "a.cu", .line = line};
  return made;
}

/// Of two stores at a line to `offset` bytes behind the beginning of an object.
record::Finding stores(Verdict verdict, unsigned line, std::uint64_t offset, std::uint64_t base = 0x1000) {
  record::Finding made = finding(verdict, line);
  made.parties.front().role = record::Role::write;
  made.parties.push_back(made.parties.front());
  made.object = record::ObjectFacts{.address = base + offset, .bytes = record::Bytes{offset, 4, 64}};
  return made;
}

std::vector<Verdict> verdicts_without_notes(std::vector<record::Finding> findings) {
  process::leave_out_explained(findings);
  std::vector<Verdict> verdicts;
  for (const record::Finding& one : findings) verdicts.push_back(one.verdict);
  return verdicts;
}

using Verdicts = std::vector<Verdict>;

}  // namespace

TEST_CASE("an index outside an array is no finding beside the access outside of the object at its line") {
  const std::vector<record::Finding> known{finding(Verdict::oob_shared, 8)};
  CHECK(is_of_known_defect(finding(Verdict::oob_index, 8), known));
  CHECK_FALSE(is_of_known_defect(finding(Verdict::oob_index, 9), known));
  CHECK_FALSE(is_of_known_defect(finding(Verdict::oob_index, 8), {finding(Verdict::race_shared, 8)}));
}

TEST_CASE("a race is no finding beside the index outside an array that a side had") {
  record::Finding race = finding(Verdict::race_shared, 8);
  CHECK_FALSE(is_of_known_defect(race, {finding(Verdict::oob_index, 8)}));
  race.after_bad_index = true;
  CHECK(is_of_known_defect(race, {finding(Verdict::oob_index, 8)}));
  CHECK_FALSE(is_of_known_defect(race, {finding(Verdict::oob_index, 9)}));
}

TEST_CASE("the address past the last row is no finding unless its line accesses memory") {
  record::Finding index = finding(Verdict::oob_index, 8);
  index.needs_access_at.emplace();
  CHECK(is_of_known_defect(index, {}));
  index.needs_access_at->push_back({.file = "a.cu", .line = 9});
  CHECK(is_of_known_defect(index, {}));
  index.needs_access_at->push_back({.file = "a.cu", .line = 8});
  CHECK_FALSE(is_of_known_defect(index, {}));
}

TEST_CASE("a read outside an array is no finding beside the write outside of the same array") {
  record::Finding read = stores(Verdict::oob_index, 9, 64);
  read.parties.front().role = record::Role::read;
  const record::Finding write = stores(Verdict::oob_shared, 7, 64);
  CHECK(is_of_known_defect(read, {write}));
  CHECK_FALSE(is_of_known_defect(read, {stores(Verdict::oob_shared, 7, 64, 0x2000)}));
  CHECK_FALSE(is_of_known_defect(stores(Verdict::oob_index, 9, 64), {write}));
}

TEST_CASE("a read of unwritten memory is a consequence of the call that should have written it") {
  using process::is_left_unwritten_by;
  const record::Finding read = stores(Verdict::uninit_global, 9, 4);
  record::Finding copy = finding(Verdict::refused_call, 7);
  CHECK_FALSE(is_left_unwritten_by(copy, read));
  copy.left_unwritten = 0x1000;
  CHECK(is_left_unwritten_by(copy, read));
  CHECK_FALSE(is_left_unwritten_by(copy, stores(Verdict::uninit_global, 9, 4, 0x2000)));
  CHECK_FALSE(is_left_unwritten_by(copy, stores(Verdict::race_global, 9, 4)));
  CHECK(is_left_unwritten_by(finding(Verdict::launch_error, 7), read));
  CHECK_FALSE(is_left_unwritten_by(finding(Verdict::deadlock, 7), read));
}

TEST_CASE("what the host copies unwritten is a consequence of any refused call") {
  record::Finding read = stores(Verdict::uninit_global, 9, 0);
  read.parties.front().who.unit = record::Unit::host;
  CHECK(process::is_left_unwritten_by(finding(Verdict::refused_call, 7), read));
}

TEST_CASE("stores of one value are no finding beside an access out of bounds at their line") {
  for (const Verdict cause : {Verdict::oob_shared, Verdict::oob_global, Verdict::oob_index}) {
    CHECK(verdicts_without_notes({stores(Verdict::benign_race, 8, 4), finding(cause, 8)}) == Verdicts{cause});
    CHECK(verdicts_without_notes({finding(cause, 9), stores(Verdict::benign_race, 8, 4)}) ==
          Verdicts{cause, Verdict::benign_race});
  }
  record::Finding address = finding(Verdict::oob_index, 8);
  address.needs_access_at.emplace();
  CHECK(verdicts_without_notes({address, stores(Verdict::benign_race, 8, 4)}) ==
        Verdicts{Verdict::oob_index, Verdict::benign_race});
}

TEST_CASE("equal bytes of a store are no finding beside the race of its other bytes") {
  const record::Finding equal = stores(Verdict::benign_race, 7, 0);
  CHECK(verdicts_without_notes({equal, stores(Verdict::race_global, 7, 4)}) == Verdicts{Verdict::race_global});
  CHECK(verdicts_without_notes({equal, stores(Verdict::race_global, 8, 4)}) ==
        Verdicts{Verdict::benign_race, Verdict::race_global});
  CHECK(verdicts_without_notes({equal, stores(Verdict::race_global, 7, 4, 0x2000)}) ==
        Verdicts{Verdict::benign_race, Verdict::race_global});
  record::Finding read = stores(Verdict::race_global, 8, 4);
  read.parties.back() = finding(Verdict::race_global, 7).parties.front();
  read.parties.back().role = record::Role::read;
  CHECK(verdicts_without_notes({equal, read}) == Verdicts{Verdict::benign_race, Verdict::race_global});
}

TEST_CASE("memory that an expression reaches beyond its own array is no finding beside the access out of bounds") {
  record::Finding outside = stores(Verdict::oob_global, 7, 64);
  outside.diagnosis = record::OutsideAccess{.offset = 64, .highest = 0x2000, .extent = 64, .size = 4};
  outside.parties.resize(1);
  record::Finding race = stores(Verdict::race_global, 7, 4, 0x2000);
  record::Finding unwritten = stores(Verdict::uninit_shared, 7, 4, 0x70000000);
  for (record::Finding* one : {&outside, &race, &unwritten})
    for (record::Party& party : one->parties) party.place.column = 9;
  for (const record::Finding& reached : {race, unwritten}) {
    CHECK(verdicts_without_notes({reached, outside}) == Verdicts{Verdict::oob_global});
    CHECK(is_of_known_defect(reached, {outside}));
    record::Finding of_array = reached;
    of_array.object = stores(reached.verdict, 7, 4).object;
    CHECK_FALSE(is_of_known_defect(of_array, {outside}));
    record::Finding of_another_expression = reached;
    for (record::Party& party : of_another_expression.parties) party.place.column = 12;
    CHECK_FALSE(is_of_known_defect(of_another_expression, {outside}));
    record::Finding reads = reached;
    for (record::Party& party : reads.parties) party.role = record::Role::read;
    CHECK_FALSE(is_of_known_defect(reads, {outside}));
  }
  record::Finding farther = race;
  farther.object->address = 0x4000;
  CHECK_FALSE(is_of_known_defect(farther, {outside}));
}

TEST_CASE("accesses outside of objects come before indices, and indices before the rest") {
  std::vector<record::Finding> findings{finding(Verdict::race_shared, 1), finding(Verdict::oob_index, 2),
                                        finding(Verdict::oob_shared, 3)};
  process::put_causes_first(findings);
  CHECK(findings[0].verdict == Verdict::oob_shared);
  CHECK(findings[1].verdict == Verdict::oob_index);
  CHECK(findings[2].verdict == Verdict::race_shared);
  CHECK(process::ends_first(finding(Verdict::oob_global, 2), findings));
  CHECK_FALSE(process::ends_first(finding(Verdict::deadlock, 2), findings));
}
