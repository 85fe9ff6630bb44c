// SPDX-License-Identifier: Apache-2.0
// When the value of a store that races with another one is known.
#include "check/races/racing_stores.hpp"

#include <vector>

#include "support/catch.hpp"

namespace {

using warpfiber::check::RacingStore;
using warpfiber::check::RacingStores;
using warpfiber::check::Side;

struct Fixture {
  int memory[4]{};
  RacingStores stores;
  std::vector<bool> same;  // what was judged

  /// Thread `second` is about to store where `first` has stored.
  void begin(unsigned first, unsigned second, unsigned word = 0) {
    stores.add({&memory[word], 4, static_cast<std::uint64_t>(memory[word]), Side{.thread = first, .site = 1},
                Side{.thread = second, .site = 2}});
  }
  void come(unsigned thread, bool writes) {
    stores.come(thread, writes, [this](const RacingStore& store) { same.push_back(store.kept_value()); });
  }
  void finish(unsigned first, unsigned last) {
    stores.finish(first, last, [this](const RacingStore& store) { same.push_back(store.kept_value()); });
  }
};

using Judged = std::vector<bool>;

}  // namespace

TEST_CASE("a load's hook may come between a store's hook and the store", "[check]") {
  Fixture given;
  given.begin(0, 1);
  given.come(1, false);
  REQUIRE(given.same.empty());
  given.memory[0] = 7;
  given.come(1, false);
  REQUIRE(given.same == Judged{false});
  REQUIRE(given.stores.none());
}

TEST_CASE("a store is done when its thread comes to the hook of another store", "[check]") {
  Fixture given;
  given.begin(0, 1);
  given.come(1, true);
  REQUIRE(given.same == Judged{true});
}

TEST_CASE("a store is done when another thread runs, unless its own was interrupted", "[check]") {
  Fixture given;
  given.begin(0, 1);
  given.memory[0] = 7;
  given.come(2, false);
  REQUIRE(given.same == Judged{false});

  given.begin(0, 1);
  given.stores.interrupt();
  given.come(2, true);
  REQUIRE(given.same.size() == 1);
  given.memory[0] = 9;
  given.come(1, true);
  REQUIRE(given.same == Judged{false, false});
}

TEST_CASE("an interrupted store is judged at the latest when its thread has ended", "[check]") {
  Fixture given;
  given.begin(0, 5);
  given.stores.interrupt();
  given.finish(0, 4);
  REQUIRE(given.same.empty());
  given.memory[0] = 1;
  given.finish(5, 8);
  REQUIRE(given.same == Judged{false});
}

TEST_CASE("of a wide store any word that changes decides", "[check]") {
  for (unsigned changed = 0; changed < 4; ++changed) {
    Fixture given;
    for (unsigned word = 0; word < 4; ++word) given.begin(0, 1, word);
    given.memory[changed] = 3;
    given.come(2, false);
    REQUIRE(given.same == Judged{false});
  }
}

TEST_CASE("a wide store that races with two threads is judged for each", "[check]") {
  Fixture given;
  given.begin(0, 2, 0);
  given.begin(1, 2, 1);
  given.memory[1] = 3;
  given.come(2, true);
  REQUIRE(given.same == Judged{true, false});
}
