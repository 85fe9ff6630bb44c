// SPDX-License-Identifier: Apache-2.0
// Unwritten bytes that threads move: padding that is loaded by itself, as clang++ copies a structure of an int and a
// char, and words.
#include <set>

#include "memory/shared_arena.hpp"
#include "support/catch.hpp"
#include "unit/analysis/check/event_script.hpp"

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

TEST_CASE("an unwritten word that a thread only stores in shared memory is used where it is read", "[address-space]") {
  EventScript script{{}};
  const char* from = script.undefined_global(64);
  char* to = script.shared(0, 0);
  warpfiber::memory::poison(to, 64);  // what the store of the loaded value leaves there
  script.thread(0, 0);
  script.read(from, 'A');
  script.write(to, 'B');
  std::set<ScriptFinding> expected{{Verdict::uninit_global, "A"}};
  SECTION("nowhere") {}
  SECTION("by another thread behind a barrier") {
    script.barrier(0);
    script.thread(0, 1);
    script.read(to, 'C');
    expected = {{Verdict::uninit_shared, "AC"}};
  }
  SECTION("not what was beside it") {
    script.barrier(0);
    script.write(to + 4, 'D');
    script.read(to + 4, 'C');
  }
  CHECK(script.end() == expected);
}
