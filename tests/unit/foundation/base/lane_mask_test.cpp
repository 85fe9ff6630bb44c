// SPDX-License-Identifier: Apache-2.0
//
// Lane masks against counting lane by lane, for every warp size and lane.
#include "base/lane_mask.hpp"

#include <vector>

#include "base/random.hpp"
#include "support/catch.hpp"

using namespace warpfiber::base;

TEST_CASE("full and below agree with setting bits one by one") {
  LaneMask built = 0;
  for (unsigned lane = 0; lane < 64; ++lane) {
    REQUIRE(lane_mask::below(lane) == built);
    built |= lane_mask::only(lane);
    REQUIRE(lane_mask::full(lane + 1) == built);
  }
}

TEST_CASE("count, rank and for_each agree with asking every lane") {
  Random random(GENERATE(1u, 2u, 3u));
  for (int repetition = 0; repetition < 100; ++repetition) {
    const LaneMask mask = random.next() & random.next();
    std::vector<unsigned> expected;
    for (unsigned lane = 0; lane < 64; ++lane) {
      REQUIRE(lane_mask::rank(mask, lane) == expected.size());
      if (lane_mask::has(mask, lane)) expected.push_back(lane);
    }
    REQUIRE(lane_mask::count(mask) == expected.size());
    if (!expected.empty()) REQUIRE(lane_mask::lowest(mask) == expected.front());
    std::vector<unsigned> visited;
    lane_mask::for_each(mask, [&](unsigned lane) { visited.push_back(lane); });
    REQUIRE(visited == expected);
  }
}
