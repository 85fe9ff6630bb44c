// SPDX-License-Identifier: Apache-2.0
// Which threads of a block go on where they run as loops, and what they get at their meetings.
#include "machine/region_meetings.hpp"

#include <warpfiber/detail/operations.hpp>

#include <algorithm>
#include <array>
#include <set>
#include <vector>

#include "base/random.hpp"
#include "support/catch.hpp"

using namespace warpfiber;
using detail::kLanesOfMask;
using detail::kThreadReturned;
using detail::kThreadsStuck;
using detail::Operation;

namespace {

constexpr std::uint8_t kReturned = kThreadReturned;
/// Region 1 is behind a barrier of the block, 2 behind one of a warp, 3 of tiles of 8.
/// 4 behind one of the lanes that each thread's mask names.
constexpr std::array<std::uint8_t, 5> kLanesOfRegion{0, 0, 32, 8, kLanesOfMask};
std::array<std::uint32_t, 64> masks{};
const std::array<const std::uint32_t*, 5> kMasksOfRegion{nullptr, nullptr, nullptr, nullptr, masks.data()};

struct Decision {
  unsigned region;
  std::vector<unsigned> threads;
};

Decision decide(const std::vector<std::uint8_t>& next) {
  std::vector<std::uint8_t> active(next.size(), 9);
  WarpfiberRegionThreads of{};
  const unsigned region = warpfiber_regions_next(next.data(), active.data(), &of, static_cast<unsigned>(next.size()),
                                                 kLanesOfRegion.data(), kMasksOfRegion.data());
  Decision decision{region, {}};
  if (region == kThreadsStuck) return decision;
  for (unsigned i = of.first; i < of.end; ++i) {
    if (of.all != 0 || active[i] != 0) decision.threads.push_back(i);
  }
  return decision;
}

std::vector<unsigned> range(unsigned first, unsigned end) {
  std::vector<unsigned> threads;
  for (unsigned i = first; i < end; ++i) threads.push_back(i);
  return threads;
}

/// The same one thread at a time, for regions without masks.
Decision decide_simply(const std::vector<std::uint8_t>& next) {
  std::set<std::uint8_t> regions(next.begin(), next.end());
  regions.erase(kReturned);
  if (regions.empty()) return {kReturned, range(0, static_cast<unsigned>(next.size()))};
  for (const std::uint8_t region : regions) {
    const bool is_only = regions.size() == 1;
    const unsigned lanes = is_only ? static_cast<unsigned>(next.size()) : kLanesOfRegion.at(region);
    Decision decision{region, {}};
    for (unsigned first = 0; lanes != 0 && first < next.size(); first += lanes) {
      const unsigned end = std::min(first + lanes, static_cast<unsigned>(next.size()));
      std::vector<unsigned> here;
      bool all = true;
      for (unsigned i = first; i < end; ++i) {
        if (next[i] == region) here.push_back(i);
        all &= next[i] == region || next[i] == kReturned;
      }
      if (all) decision.threads.insert(decision.threads.end(), here.begin(), here.end());
    }
    if (!decision.threads.empty()) return decision;
  }
  return {kThreadsStuck, {}};
}

/// Where threads may be that go on in warps, most of them together.
std::vector<std::uint8_t> random_regions(base::Random& random) {
  std::vector<std::uint8_t> next(1 + random.below(200));
  const std::array<std::uint8_t, 5> places{1, 2, 3, kReturned, 0};
  const std::uint64_t used = 2 + random.below(4);
  for (std::size_t first = 0; first < next.size(); first += 32) {
    const bool together = random.below(4) != 0;
    const std::uint8_t place = places.at(random.below(used));
    for (std::size_t i = first; i < std::min(first + 32, next.size()); ++i) {
      next[i] = together || random.below(3) != 0 ? place : places.at(random.below(used));
    }
  }
  return next;
}

}  // namespace

TEST_CASE("threads that have all come to one region run it", "[regions]") {
  for (const unsigned threads : {1U, 31U, 32U, 33U, 256U, 1024U}) {
    const Decision decision = decide(std::vector<std::uint8_t>(threads, 1));
    CHECK(decision.region == 1);
    CHECK(decision.threads == range(0, threads));
  }
}

TEST_CASE("threads that have returned are not waited for", "[regions]") {
  std::vector<std::uint8_t> next(70, 1);
  for (unsigned i = 20; i < 70; ++i) next[i] = kReturned;
  CHECK(decide(next).region == 1);
  CHECK(decide(next).threads == range(0, 20));
  CHECK(decide(std::vector<std::uint8_t>(70, kReturned)).region == kThreadReturned);
}

TEST_CASE("warps that are together run before a barrier of the block", "[regions]") {
  std::vector<std::uint8_t> next(96, 1);
  for (unsigned i = 32; i < 64; ++i) next[i] = 2;
  CHECK(decide(next).region == 2);
  CHECK(decide(next).threads == range(32, 64));
  next[40] = kReturned;
  CHECK(decide(next).threads.size() == 31);
}

TEST_CASE("tiles run as soon as their lanes are together", "[regions]") {
  std::vector<std::uint8_t> next(32, 2);
  for (unsigned i = 8; i < 16; ++i) next[i] = 3;
  CHECK(decide(next).region == 3);
  CHECK(decide(next).threads == range(8, 16));
}

TEST_CASE("threads that wait for each other at different places are stuck", "[regions]") {
  std::vector<std::uint8_t> half_of_a_warp(64, 1);
  for (unsigned i = 0; i < 16; ++i) half_of_a_warp[i] = 2;
  CHECK(decide(half_of_a_warp).region == kThreadsStuck);
  std::vector<std::uint8_t> two_barriers(64, 0);
  two_barriers[3] = 1;
  CHECK(decide(two_barriers).region == kThreadsStuck);
}

TEST_CASE("random threads go on as looked at one by one", "[regions]") {
  base::Random random(11);
  unsigned decided = 0;
  for (int round = 0; round < 3000; ++round) {
    const std::vector<std::uint8_t> next = random_regions(random);
    const Decision decision = decide(next);
    const Decision simple = decide_simply(next);
    REQUIRE(decision.region == simple.region);
    REQUIRE(decision.threads == simple.threads);
    decided += decision.region == kThreadsStuck ? 0 : 1;
  }
  CHECK(decided > 1000);
}

TEST_CASE("lanes of a mask run once all of them are there and agree", "[regions]") {
  std::vector<std::uint8_t> next(64, 1);
  masks.fill(0xff);
  for (unsigned i = 0; i < 8; ++i) next[i] = 4;
  CHECK(decide(next).region == 4);
  CHECK(decide(next).threads == range(0, 8));
  next[3] = kReturned;
  CHECK(decide(next).threads.size() == 7);
  next[3] = 1;  // is waited for
  CHECK(decide(next).region == kThreadsStuck);
  next[3] = 4;
  masks[5] = 0xf0;
  CHECK(decide(next).region == kThreadsStuck);
  masks.fill(0xff);
  next[40] = 4;  // names lanes that it is none of
  masks[40] = 0xff;
  CHECK(decide(next).threads == range(0, 8));
}

TEST_CASE("lanes of different masks compute apart", "[regions]") {
  const std::vector<std::uint8_t> next(32, 4);
  std::vector<std::uint8_t> active(32, 1);
  std::vector<std::uint32_t> ones(32, 1);
  std::vector<std::uint32_t> results(32, 99);
  for (unsigned i = 0; i < 32; ++i) masks[i] = i < 10 ? 0x3ff : ~0x3ffU;
  active[31] = 0;
  masks[31] = 0;
  const WarpfiberRegionThreads of{0, 32, 0};
  warpfiber_regions_masked_collective(static_cast<unsigned>(Operation::reduce_add), 1, ones.data(), results.data(),
                                      next.data(), active.data(), &of, masks.data());
  for (unsigned i = 0; i < 32; ++i) CHECK(results[i] == (i < 10 ? 10U : i < 31 ? 21U : 99U));
}

TEST_CASE("votes, reductions and matches of random lanes are as one by one", "[regions]") {
  base::Random random(7);
  for (int round = 0; round < 200; ++round) {
    const unsigned threads = 1 + static_cast<unsigned>(random.below(100));
    const unsigned lanes = 1U << random.below(6);
    std::vector<std::uint8_t> next(threads);
    std::vector<std::uint32_t> words(threads);
    std::vector<std::uint64_t> values(threads);
    for (unsigned i = 0; i < threads; ++i) {
      next[i] = round % 2 != 0 && random.below(4) == 0 ? kReturned : 2;
      words[i] = static_cast<std::uint32_t>(random.below(3));
      values[i] = random.below(3) << 32;
    }
    std::vector<std::uint32_t> ballots(threads, 7), sums(threads, 7), smallest(threads, 7);
    std::vector<std::uint64_t> matches(threads, 7);
    const auto compute = [&](Operation operation, const auto& brought, auto& results) {
      warpfiber_regions_collective(static_cast<unsigned>(operation), sizeof brought[0] / 4, lanes, brought.data(),
                                   results.data(), round % 4 == 0 ? nullptr : next.data(), threads);
    };
    compute(Operation::ballot, words, ballots);
    compute(Operation::reduce_add, words, sums);
    compute(Operation::reduce_min_signed, words, smallest);
    compute(Operation::match_any, values, matches);
    for (unsigned i = 0; i < threads; ++i) {
      if (next[i] == kReturned) continue;
      std::uint32_t ballot = 0, sum = 0, least = 100, equal = 0;
      for (unsigned k = i / lanes * lanes; k < std::min(i / lanes * lanes + lanes, threads); ++k) {
        if (next[k] == kReturned) continue;
        ballot |= (words[k] != 0 ? 1U : 0U) << k % 32;
        sum += words[k];
        least = std::min(least, words[k]);
        equal |= (values[k] == values[i] ? 1U : 0U) << k % 32;
      }
      CHECK(ballots[i] == ballot);
      CHECK(sums[i] == sum);
      CHECK(smallest[i] == least);
      CHECK(matches[i] == equal);
    }
  }
}

TEST_CASE("threads that have returned leave zeros to shuffles", "[regions]") {
  std::vector<std::uint64_t> exchange(40, 5);
  std::vector<std::uint8_t> next(40, 1);
  warpfiber_regions_forget_returned(exchange.data(), sizeof exchange[0], next.data(), 40);
  CHECK(exchange == std::vector<std::uint64_t>(40, 5));
  next[3] = next[39] = kReturned;
  warpfiber_regions_forget_returned(exchange.data(), sizeof exchange[0], next.data(), 40);
  for (unsigned i = 0; i < 40; ++i) CHECK(exchange[i] == (i == 3 || i == 39 ? 0 : 5));
}

TEST_CASE("random threads that have returned leave zeros", "[regions]") {
  base::Random random(13);
  for (int round = 0; round < 500; ++round) {
    const std::vector<std::uint8_t> next = random_regions(random);
    std::vector<std::uint32_t> exchange(next.size() + 1, 5);
    warpfiber_regions_forget_returned(exchange.data(), sizeof exchange[0], next.data(),
                                      static_cast<unsigned>(next.size()));
    for (std::size_t i = 0; i < next.size(); ++i) REQUIRE(exchange[i] == (next[i] == kReturned ? 0 : 5));
    CHECK(exchange.back() == 5);
  }
}

TEST_CASE("a vote of the block counts threads that have not returned", "[regions]") {
  const std::vector<std::uint8_t> next{1, kReturned, 1, 1};
  const std::vector<std::uint32_t> words{1, 1, 0, 1};
  std::uint32_t result = 9;
  const auto vote = [&](Operation operation) {
    warpfiber_regions_block_collective(static_cast<unsigned>(operation), words.data(), &result, next.data(), 4);
    return result;
  };
  CHECK(vote(Operation::block_count) == 2);
  CHECK(vote(Operation::block_all) == 0);
  CHECK(vote(Operation::block_any) == 1);
}
