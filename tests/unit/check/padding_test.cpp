// SPDX-License-Identifier: Apache-2.0
// Padding of a structure that is loaded by itself, as clang++ copies structures: an int and a char, and three bytes
// that nobody has written.
#include <set>

#include "support/catch.hpp"
#include "unit/check/event_script.hpp"

using namespace warpfiber::check::test;
using warpfiber::record::Verdict;

namespace {

/// Thread 0 fills a record, and thread 1 loads it piece by piece.
struct LoadedRecord {
  LoadedRecord() {
    script.thread(0, 0);
    script.write(record, 'A');
    script.write(record + 4, 'B', 1);
    script.barrier(0);
    script.thread(0, 1);
    script.read(record, 'C');
    script.read(record + 4, 'D', 1);
    script.read(record + 5, 'E', 3);
  }

  EventScript script{{}};
  char* record = script.undefined_global(64);
  char* copy = script.undefined_global(64);
};

}  // namespace

TEST_CASE("padding that is stored where a copy has it is no use", "[address-space]") {
  LoadedRecord loaded;
  loaded.script.write(loaded.copy + 8, 'F');
  loaded.script.write(loaded.copy + 12, 'G', 1);
  loaded.script.write(loaded.copy + 13, 'H', 3);
  loaded.script.read(loaded.copy + 12, 'I', 1);
  CHECK(loaded.script.end().empty());
}

TEST_CASE("unwritten bytes at the place of padding are a use where nothing stores them", "[address-space]") {
  LoadedRecord loaded;
  const std::set<ScriptFinding> expected{{Verdict::uninit_global, "E"}};
  SECTION("at all") {}
  SECTION("at another place of a record") {
    loaded.script.write(loaded.copy + 4, 'H', 3);
  }
  CHECK(loaded.script.end() == expected);
}
