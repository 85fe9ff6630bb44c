// SPDX-License-Identifier: Apache-2.0
//
// The switches that a failure needs are left, whatever else the schedule had.
#include "tools/check/shrinking.hpp"

#include <algorithm>

#include "base/random.hpp"
#include "support/catch.hpp"

using namespace warpfiber;
using namespace warpfiber::tools::check;
using schedule::Switches;

namespace {

Switches all_of(std::uint64_t count) {
  Switches switches;
  for (std::uint64_t step = 1; step <= count; ++step) switches.push_back({.launch = 1, .step = step, .chosen = step});
  return switches;
}

bool contains_all(const Switches& switches, const Switches& needed) {
  return std::ranges::all_of(needed,
                             [&](const auto& one) { return std::ranges::find(switches, one) != switches.end(); });
}

}  // namespace

TEST_CASE("exactly the switches that are needed are left") {
  const std::uint64_t seed = GENERATE(range<std::uint64_t>(1, 40));
  base::Random random(seed);
  const Switches all = all_of(1 + random.below(300));
  Switches needed;
  for (const auto& one : all) {
    if (needed.size() < seed % 6 && random.below(20) == 0) needed.push_back(one);
  }
  unsigned runs = 0;
  const Switches left = shrunk(all, 10000, [&](const Switches& some) {
    ++runs;
    return contains_all(some, needed);
  });
  CHECK(left == needed);
  CHECK(runs < 10000);
}

TEST_CASE("a failure that needs all of its switches keeps them") {
  const Switches all = all_of(9);
  CHECK(shrunk(all, 1000, [&](const Switches& some) { return some == all; }) == all);
  CHECK(shrunk({}, 1000, [](const Switches&) { return true; }).empty());
}

TEST_CASE("no more runs are made than allowed, and what is left fails") {
  const unsigned most = GENERATE(0U, 1U, 7U, 20U);
  const Switches all = all_of(100);
  const Switches needed{all[13], all[70]};
  unsigned runs = 0;
  const Switches left = shrunk(all, most, [&](const Switches& some) {
    ++runs;
    return contains_all(some, needed);
  });
  CHECK(runs <= most);
  CHECK(contains_all(left, needed));
}
