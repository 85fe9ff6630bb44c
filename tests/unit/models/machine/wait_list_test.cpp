// SPDX-License-Identifier: Apache-2.0
// The list that waiting fibers stand in, against a deque.
#include <warpfiber/detail/machine.hpp>

#include <deque>
#include <vector>

#include "base/random.hpp"
#include "support/catch.hpp"

using warpfiber::base::Random;
using warpfiber::detail::Fiber;
using warpfiber::detail::WaitList;

namespace {

std::deque<Fiber*> content(const WaitList& list) {
  std::deque<Fiber*> fibers;
  list.each([&fibers](Fiber* fiber) { fibers.push_back(fiber); });
  return fibers;
}

/// Two lists and what should be in them.
struct Pair {
  WaitList list[2];
  std::deque<Fiber*> expected[2];
  std::vector<Fiber*> outside;

  void put(int which, Random& random) {
    if (outside.empty()) return;
    const std::size_t chosen = random.below(outside.size());
    list[which].append(outside[chosen]);
    expected[which].push_back(outside[chosen]);
    outside.erase(outside.begin() + static_cast<std::ptrdiff_t>(chosen));
  }

  void take(int which) {
    if (expected[which].empty()) return;
    Fiber* fiber = list[which].pop();
    REQUIRE(fiber == expected[which].front());
    expected[which].pop_front();
    outside.push_back(fiber);
  }

  void move_behind(int which) {
    list[which].append_all(list[1 - which]);
    expected[which].insert(expected[which].end(), expected[1 - which].begin(), expected[1 - which].end());
    expected[1 - which].clear();
  }

  void move_before(int which) {
    list[which].prepend_all(list[1 - which]);
    expected[which].insert(expected[which].begin(), expected[1 - which].begin(), expected[1 - which].end());
    expected[1 - which].clear();
  }
};

}  // namespace

TEST_CASE("a wait list is a queue, whole lists go behind it or before it") {
  const std::size_t fibers = GENERATE(std::size_t{1}, 2, 3, 20);
  const std::uint64_t seed = GENERATE(1U, 2U, 3U);
  CAPTURE(fibers, seed);
  std::vector<Fiber> storage(fibers);
  Pair pair;
  for (Fiber& fiber : storage) pair.outside.push_back(&fiber);
  Random random(seed);
  for (int step = 0; step < 2000; ++step) {
    const int which = static_cast<int>(random.below(2));
    switch (random.below(8)) {
      case 0: pair.move_behind(which); break;
      case 1: pair.move_before(which); break;
      case 2:
      case 3: pair.take(which); break;
      default: pair.put(which, random); break;
    }
    for (int i = 0; i < 2; ++i) {
      REQUIRE(pair.list[i].empty() == pair.expected[i].empty());
      REQUIRE(content(pair.list[i]) == pair.expected[i]);
    }
  }
}

TEST_CASE("a cleared list is empty and takes fibers again") {
  Fiber first;
  Fiber second;
  WaitList list;
  list.append(&first);
  list.clear();
  CHECK(list.empty());
  list.append(&second);
  CHECK(list.pop() == &second);
  CHECK(list.empty());
}
