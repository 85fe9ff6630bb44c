// SPDX-License-Identifier: Apache-2.0
//
// The generators against their authors' reference output, and choices against their odds.
#include "base/random.hpp"

#include <array>
#include <bit>
#include <cstdint>
#include <set>
#include <vector>

#include "support/catch.hpp"

using namespace warpfiber::base;

TEST_CASE("splitmix64 yields its authors' sequence") {
  constexpr std::array<std::uint64_t, 5> kExpected{6457827717110365317u, 3203168211198807973u, 9817491932198370423u,
                                                   4593380528125082431u, 16408922859458223821u};
  std::uint64_t state = 1234567;
  for (const std::uint64_t expected : kExpected) CHECK(splitmix64(state) == expected);
}

TEST_CASE("xoshiro256** yields its authors' sequence") {
  constexpr std::array<std::uint64_t, 10> kExpected{
      11520u,
      0u,
      1509978240u,
      1215971899390074240u,
      1216172134540287360u,
      607988272756665600u,
      16172922978634559625u,
      8476171486693032832u,
      10595114339597558777u,
      2904607092377533576u,
  };
  Random random(std::array<std::uint64_t, 4>{1, 2, 3, 4});
  for (const std::uint64_t expected : kExpected) CHECK(random.next() == expected);
}

TEST_CASE("equal seeds give equal numbers, different seeds different ones") {
  const std::uint64_t seed = GENERATE(0ull, 1ull, 42ull, ~0ull);
  Random a(seed);
  Random b(seed);
  Random other(seed + 1);
  int equal_to_other = 0;
  for (int i = 0; i < 1000; ++i) {
    const std::uint64_t number = a.next();
    REQUIRE(number == b.next());
    if (number == other.next()) ++equal_to_other;
  }
  CHECK(equal_to_other == 0);
}

TEST_CASE("below takes every value about equally often") {
  const std::uint64_t n = GENERATE(1u, 2u, 3u, 7u, 10u, 64u);
  constexpr std::uint64_t kDraws = 64000;
  std::vector<std::uint64_t> seen(n);
  Random random(n);
  for (std::uint64_t i = 0; i < kDraws; ++i) {
    const std::uint64_t value = random.below(n);
    REQUIRE(value < n);
    ++seen[value];
  }
  // Six standard deviations of a binomial count: a fair generator fails one of these for about one seed in a million.
  const double expected = static_cast<double>(kDraws) / static_cast<double>(n);
  const double variance = expected * (1 - 1 / static_cast<double>(n));
  for (const std::uint64_t count : seen) {
    const double off = static_cast<double>(count) - expected;
    CHECK(off * off <= 36 * variance);
  }
}

TEST_CASE("below is not biased where n does not divide 2^64") {
  // With n = 3 * 2^62, taking the remainder would make the lower third of the range twice as likely as it should be:
  // half of all draws instead of a third.
  constexpr std::uint64_t kThird = 1ull << 62;
  Random random(5);
  int lower = 0;
  for (int i = 0; i < 30000; ++i)
    if (random.below(3 * kThird) < kThird) ++lower;
  CHECK(lower > 9500);
  CHECK(lower < 10500);
}

TEST_CASE("mix distinguishes seeds and indices") {
  std::set<std::uint64_t> seen;
  for (std::uint64_t seed = 0; seed < 100; ++seed)
    for (std::uint64_t index = 0; index < 100; ++index) seen.insert(mix(seed, index));
  CHECK(seen.size() == 100 * 100);
}
