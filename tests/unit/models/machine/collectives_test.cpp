// SPDX-License-Identifier: Apache-2.0
// The functions that compute the results of warp collectives, against the sequential model and against an H200.
#include <warpfiber/detail/collective.hpp>

#include <algorithm>
#include <string>
#include <vector>

#include "base/random.hpp"
#include "machine/rendezvous.hpp"
#include "support/catch.hpp"
#include "unit/models/machine/collective_model.hpp"
#include "unit/models/machine/h200_shuffles.hpp"

using namespace warpfiber;
using namespace warpfiber::test;
using detail::Collective;
using detail::kCollectiveOf;
using detail::Operation;

namespace {

using WordArgument = detail::WordOperand<detail::LaneArgument>;

struct ShuffleKind {
  const Collective& collective;
  model::Shuffle kind;
};

const ShuffleKind kShuffles[] = {
    {kCollectiveOf<Operation::shuffle>, model::Shuffle::indexed},
    {kCollectiveOf<Operation::shuffle_up>, model::Shuffle::up},
    {kCollectiveOf<Operation::shuffle_down>, model::Shuffle::down},
    {kCollectiveOf<Operation::shuffle_xor>, model::Shuffle::exclusive_or},
};

std::uint64_t mask_of(const model::Lanes& lanes) {
  std::uint64_t mask = 0;
  for (std::size_t i = 0; i < lanes.size(); ++i) mask |= std::uint64_t{lanes[i].present} << i;
  return mask;
}

/// Calls the collective with an `Argument` for each lane that takes part; `fill` makes it from the lane.
template <class Argument, class Fill>
std::vector<Argument> complete(const Collective& collective, const model::Lanes& lanes, Fill fill) {
  std::vector<Argument> arguments(lanes.size());
  detail::LaneArgument* pointers[detail::kMaxWarpSize] = {};
  for (std::size_t i = 0; i < lanes.size(); ++i) {
    if (!lanes[i].present) continue;
    fill(arguments[i], lanes[i]);
    pointers[i] = &arguments[i];
  }
  std::uint64_t offered[detail::kMaxWarpSize];
  const std::uint64_t all = mask_of(lanes);
  collective.complete(detail::Meeting{pointers, all, all, offered, static_cast<unsigned>(lanes.size())});
  return arguments;
}

std::vector<detail::ShuffleArgument> shuffle(const Collective& collective, const model::Lanes& lanes, int width) {
  return complete<detail::ShuffleArgument>(collective, lanes, [width](auto& argument, const model::Lane& lane) {
    argument.value = lane.value;
    argument.operand = lane.operand;
    argument.width = width;
  });
}

std::vector<WordArgument> vote(const Collective& collective, const model::Lanes& lanes) {
  return complete<WordArgument>(collective, lanes,
                                [](auto& argument, const model::Lane& lane) { argument.value = lane.value != 0; });
}

std::vector<WordArgument> match(const Collective& collective, const model::Lanes& lanes) {
  return complete<WordArgument>(collective, lanes,
                                [](auto& argument, const model::Lane& lane) { argument.value = lane.value; });
}

std::vector<WordArgument> reduce(const Collective& collective, const model::Lanes& lanes) {
  return complete<WordArgument>(collective, lanes, [](auto& argument, const model::Lane& lane) {
    argument.value = static_cast<unsigned>(lane.value);
  });
}

/// At least one lane of `size` takes part; values come from a small set, so that some are equal.
model::Lanes random_lanes(base::Random& random, std::size_t size) {
  model::Lanes lanes(size);
  const std::uint64_t kinds = 1 + random.below(4);
  const bool full = random.below(4) == 0;
  for (model::Lane& lane : lanes) {
    lane.present = full || random.below(2) == 0;
    lane.value = random.below(2) == 0 ? random.below(kinds) : random.next();
    if (random.below(8) == 0) lane.value = 0;
    lane.operand = static_cast<int>(random.below(200)) - 100;
  }
  lanes[random.below(size)].present = true;
  return lanes;
}

/// Every power of two up to the warp size, and the warp size itself.
std::vector<int> widths_of(int warp_size) {
  std::vector<int> widths;
  for (int width = 1; width <= warp_size; width *= 2) widths.push_back(width);
  if (widths.back() != warp_size) widths.push_back(warp_size);
  return widths;
}

}  // namespace

TEST_CASE("shuffles take their values from the lanes that the guide names") {
  const int size = GENERATE(1, 2, 4, 8, 16, 32, 64);
  const ShuffleKind& shape = kShuffles[GENERATE(range(0, 4))];
  CAPTURE(size, shape.collective.name);
  base::Random random(static_cast<std::uint64_t>(size));
  for (int trial = 0; trial < 50; ++trial) {
    const model::Lanes lanes = random_lanes(random, static_cast<std::size_t>(size));
    for (const int width : widths_of(size)) {
      const auto expected = model::shuffle(shape.kind, lanes, width, size);
      const auto results = shuffle(shape.collective, lanes, width);
      for (std::size_t i = 0; i < lanes.size(); ++i) {
        if (expected[i]) REQUIRE(results[i].value == *expected[i]);
      }
    }
  }
}

TEST_CASE("every operand of every width picks the lane that the guide names") {
  const ShuffleKind& shape = kShuffles[GENERATE(range(0, 4))];
  const int width = GENERATE(1, 2, 4, 8, 16, 32);
  CAPTURE(shape.collective.name, width);
  for (int operand = -70; operand <= 70; ++operand) {
    model::Lanes lanes(32);
    for (std::size_t i = 0; i < lanes.size(); ++i) lanes[i] = model::Lane{true, i, operand};
    const auto results = shuffle(shape.collective, lanes, width);
    for (int lane = 0; lane < 32; ++lane) {
      const int source = model::source_of(shape.kind, lane, operand, width, 32);
      REQUIRE(results[static_cast<std::size_t>(lane)].value == static_cast<std::uint64_t>(source));
    }
  }
}

TEST_CASE("shuffles of widths that are no powers of two do what an H200 does") {
  const OddWidth& row = kOddWidths[GENERATE(range(std::size_t{0}, std::size(kOddWidths)))];
  CAPTURE(row.width);
  const char* const sources[] = {row.indexed, row.up, row.down, row.exclusive_or};
  for (std::size_t kind = 0; kind < 4; ++kind) {
    model::Lanes lanes(32);
    for (std::size_t i = 0; i < lanes.size(); ++i) lanes[i] = model::Lane{true, i, kind == 0 ? 5 : 3};
    std::string seen;
    for (const auto& result : shuffle(kShuffles[kind].collective, lanes, row.width))
      seen += "0123456789ABCDEFGHIJKLMNOPQRSTUV"[result.value];
    CHECK(seen == sources[kind]);
  }
}

TEST_CASE("a shuffle from a lane that takes no part gives what an H200 gives") {
  const ShuffleKind& shape = kShuffles[GENERATE(range(0, 4))];
  model::Lanes lanes(32);
  for (std::size_t i = 0; i < 20; ++i)
    lanes[i] = model::Lane{true, 100 + i, shape.kind == model::Shuffle::indexed ? 25 : 16};
  const auto results = shuffle(shape.collective, lanes, 32);
  for (std::size_t i = 0; i < 20; ++i) {
    const auto source =
        static_cast<std::size_t>(model::source_of(shape.kind, static_cast<int>(i), lanes[i].operand, 32, 32));
    CHECK(results[i].value == (source < 20 ? 100 + source : machine::kAbsentLaneValue));
    CHECK(results[i].absent == (source >= 20));
  }
}

TEST_CASE("lanes may ask for different sources in one shuffle") {
  base::Random random(77);
  for (int trial = 0; trial < 200; ++trial) {
    model::Lanes lanes(32);
    for (std::size_t i = 0; i < 32; ++i)
      lanes[i] = model::Lane{true, random.next(), static_cast<int>(random.below(32))};
    const auto results = shuffle(kCollectiveOf<Operation::shuffle>, lanes, 32);
    for (std::size_t i = 0; i < 32; ++i)
      REQUIRE(results[i].value == lanes[static_cast<std::size_t>(lanes[i].operand)].value);
  }
}

TEST_CASE("votes count the lanes that take part and no others") {
  const std::size_t size = GENERATE(range(std::size_t{1}, std::size_t{65}));
  CAPTURE(size);
  base::Random random(size * 3);
  for (int trial = 0; trial < 30; ++trial) {
    const model::Lanes lanes = random_lanes(random, size);
    const auto all = vote(kCollectiveOf<Operation::vote_all>, lanes);
    const auto any = vote(kCollectiveOf<Operation::vote_any>, lanes);
    const auto uniform = vote(kCollectiveOf<Operation::vote_uniform>, lanes);
    const auto ballot = vote(kCollectiveOf<Operation::ballot>, lanes);
    for (std::size_t i = 0; i < size; ++i) {
      if (!lanes[i].present) continue;
      REQUIRE((all[i].value != 0) == model::all(lanes));
      REQUIRE((any[i].value != 0) == model::any(lanes));
      REQUIRE((uniform[i].value != 0) == (model::all(lanes) || !model::any(lanes)));
      REQUIRE(ballot[i].value == model::ballot(lanes));
    }
  }
}

TEST_CASE("matches name the lanes that hold the same") {
  const std::size_t size = GENERATE(range(std::size_t{1}, std::size_t{65}));
  CAPTURE(size);
  base::Random random(size * 5);
  for (int trial = 0; trial < 30; ++trial) {
    model::Lanes lanes = random_lanes(random, size);
    if (trial % 3 == 0) {
      for (model::Lane& lane : lanes) lane.value = 42;
    }
    const auto any = match(kCollectiveOf<Operation::match_any>, lanes);
    const auto all = match(kCollectiveOf<Operation::match_all>, lanes);
    for (std::size_t i = 0; i < size; ++i) {
      if (!lanes[i].present) continue;
      REQUIRE(any[i].value == model::match_any(lanes, i));
      REQUIRE(all[i].value == model::match_all(lanes));
    }
  }
}

namespace {

struct Reduction {
  const Collective& collective;
  unsigned (*combine)(unsigned, unsigned);
};

const Reduction kReductions[] = {
    {kCollectiveOf<Operation::reduce_add>, [](unsigned a, unsigned b) { return a + b; }},
    {kCollectiveOf<Operation::reduce_and>, [](unsigned a, unsigned b) { return a & b; }},
    {kCollectiveOf<Operation::reduce_or>, [](unsigned a, unsigned b) { return a | b; }},
    {kCollectiveOf<Operation::reduce_xor>, [](unsigned a, unsigned b) { return a ^ b; }},
    {kCollectiveOf<Operation::reduce_min_unsigned>, [](unsigned a, unsigned b) { return std::min(a, b); }},
    {kCollectiveOf<Operation::reduce_max_unsigned>, [](unsigned a, unsigned b) { return std::max(a, b); }},
    {kCollectiveOf<Operation::reduce_min_signed>,
     [](unsigned a, unsigned b) { return static_cast<unsigned>(std::min(static_cast<int>(a), static_cast<int>(b))); }},
    {kCollectiveOf<Operation::reduce_max_signed>,
     [](unsigned a, unsigned b) { return static_cast<unsigned>(std::max(static_cast<int>(a), static_cast<int>(b))); }},
};

}  // namespace

TEST_CASE("reductions combine the words of the lanes that take part") {
  const Reduction& reduction = kReductions[GENERATE(range(0, 8))];
  const std::size_t size = GENERATE(std::size_t{1}, 2, 7, 31, 32, 33, 64);
  CAPTURE(reduction.collective.name, size);
  base::Random random(size * 7);
  for (int trial = 0; trial < 50; ++trial) {
    const model::Lanes lanes = random_lanes(random, size);
    const unsigned expected = model::reduce(lanes, reduction.combine);
    const auto results = reduce(reduction.collective, lanes);
    for (std::size_t i = 0; i < size; ++i) {
      if (lanes[i].present) REQUIRE(results[i].value == expected);
    }
  }
}
