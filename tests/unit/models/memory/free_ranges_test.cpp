// SPDX-License-Identifier: Apache-2.0
// Which addresses are free: no two owners of one byte, and addresses that were given back come again late.
#include "memory/free_ranges.hpp"

#include <cstdint>
#include <iterator>
#include <map>

#include "base/random.hpp"
#include "support/catch.hpp"

using warpfiber::base::Random;
using warpfiber::memory::FreeRanges;

namespace {

// Never touched.
char* const kBase = reinterpret_cast<char*>(std::uintptr_t{1} << 40);

}  // namespace

TEST_CASE("what is taken is aligned and nobody else's") {
  FreeRanges free(16);
  constexpr std::size_t kAll = 1 << 20;
  free.add(kBase, kAll);
  Random random(5);
  std::map<char*, std::size_t> live;
  for (int step = 0; step < 3000; ++step) {
    if (live.size() < 20 || random.below(2) != 0) {
      const std::size_t bytes = 1 + random.below(3000);
      const std::size_t alignment = std::size_t{1} << random.below(10);
      char* taken = free.take(bytes, alignment);
      if (taken == nullptr) continue;
      REQUIRE(reinterpret_cast<std::uintptr_t>(taken) % alignment == 0);
      REQUIRE(taken >= kBase);
      REQUIRE(taken + bytes <= kBase + kAll);
      const auto after = live.upper_bound(taken);
      if (after != live.end()) REQUIRE(taken + bytes <= after->first);
      if (after != live.begin()) REQUIRE(std::prev(after)->first + std::prev(after)->second <= taken);
      live.emplace(taken, bytes);
    } else {
      const auto victim = std::next(live.begin(), static_cast<std::ptrdiff_t>(random.below(live.size())));
      free.give_back(victim->first, victim->second);
      live.erase(victim);
    }
  }
  for (const auto& [base, bytes] : live) free.give_back(base, bytes);
  CHECK(free.take(kAll, 1) == kBase);
  CHECK(free.take(1, 1) == nullptr);
}

TEST_CASE("a range that was given back waits until as many others were") {
  constexpr std::size_t kMostWaiting = 8;
  FreeRanges free(kMostWaiting);
  free.add(kBase, 1 << 20);
  char* first = free.take(64, 1);
  free.give_back(first, 64);
  for (std::size_t i = 0; i < kMostWaiting; ++i) {
    char* next = free.take(64, 1);
    CHECK(next != first);
    free.give_back(next, 64);
  }
  CHECK(free.take(64, 1) == first);
}

TEST_CASE("what waits is handed out when nothing else is left, the longest waiting first") {
  FreeRanges free(100);
  free.add(kBase, 3 * 64);
  char* taken[3] = {free.take(64, 1), free.take(64, 1), free.take(64, 1)};
  CHECK(free.take(1, 1) == nullptr);
  for (const int i : {2, 0, 1}) free.give_back(taken[i], 64);
  for (const int i : {2, 0, 1}) CHECK(free.take(64, 1) == taken[i]);
}

TEST_CASE("neighbours that are free make one range") {
  FreeRanges free(0);
  free.add(kBase, 64);
  free.add(kBase + 128, 64);
  CHECK(free.take(65, 1) == nullptr);
  free.add(kBase + 64, 64);
  CHECK(free.take(192, 1) == kBase);
}
