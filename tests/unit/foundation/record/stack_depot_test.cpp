// SPDX-License-Identifier: Apache-2.0
// One copy of each stack, under one number.
#include "record/stack_depot.hpp"

#include <algorithm>
#include <cstdint>
#include <thread>
#include <vector>

#include "support/catch.hpp"

using namespace warpfiber::record;

namespace {

using Code = std::vector<std::uintptr_t>;

Code addresses_of(const StackDepot& depot, StackId id) {
  const StackDepot::Addresses returns = depot.at(id);
  return {returns.begin(), returns.end()};
}

}  // namespace

TEST_CASE("a stack has one number, and other stacks have others") {
  StackDepot depot;
  const Code one{5, 7};
  const StackId id = depot.add(one);
  CHECK(id != StackId::none);
  CHECK(depot.add(Code{5, 7}) == id);
  CHECK(depot.add(Code{7, 5}) != id);
  CHECK(depot.add(Code{5}) != id);
  CHECK(depot.add(Code{5, 7, 0}) != id);
  CHECK(addresses_of(depot, id) == one);
}

TEST_CASE("no addresses are no stack") {
  StackDepot depot;
  CHECK(depot.add({}) == StackId::none);
  CHECK(depot.at(StackId::none).empty());
}

TEST_CASE("addresses stay where they are while others come") {
  StackDepot depot;
  const StackId id = depot.add(Code{1, 2, 3});
  const std::uintptr_t* const before = depot.at(id).data();
  for (std::uintptr_t other = 0; other < 10'000; ++other) depot.add(Code{1, 2, 4 + other});
  CHECK(depot.at(id).data() == before);
  CHECK(addresses_of(depot, id) == Code{1, 2, 3});
}

TEST_CASE("threads that add the same stacks get the same numbers") {
  constexpr std::uintptr_t kStacks = 500;
  StackDepot depot;
  std::vector<std::vector<StackId>> ids(4);
  std::vector<std::thread> threads;
  for (std::vector<StackId>& own : ids) {
    threads.emplace_back([&depot, &own] {
      for (std::uintptr_t i = 0; i < kStacks; ++i) own.push_back(depot.add(Code{i, i + 1}));
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const std::vector<StackId>& own : ids) CHECK(own == ids.front());
  std::ranges::sort(ids.front());
  CHECK(std::ranges::adjacent_find(ids.front()) == ids.front().end());
}
