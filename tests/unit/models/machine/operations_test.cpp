// SPDX-License-Identifier: Apache-2.0
// Every row of the operations' table, on random operands and sets of lanes: what the library computes for lanes on
// fibers and for lanes of regions is what the row's formula says. tests/regions/programs/operations.cu asks the same of
// compiled kernels. The formulas are compared with a model of their own in collectives_test.cpp.
#include <warpfiber/detail/collective.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <string>
#include <vector>

#include "base/random.hpp"
#include "machine/region_meetings.hpp"
#include "support/catch.hpp"

using namespace warpfiber;
using detail::CalledBy;
using detail::Formula;
using detail::kOperationCount;
using detail::kOperations;
using detail::Operation;
using detail::OperationRow;

namespace {

constexpr unsigned kLanes = 32;
using Values = std::array<std::uint64_t, detail::kMaxWarpSize>;

bool has_words(const OperationRow& row) {
  return is_vote(row.formula) || is_match(row.formula) || is_reduction(row.formula);
}

std::uint64_t mask_of(unsigned lanes) {
  return ~std::uint64_t{0} >> (64 - lanes);
}

/// One lane of the first `lanes` at least.
std::uint64_t random_lanes(base::Random& random, unsigned lanes) {
  const std::uint64_t some = random.next() & random.next() & mask_of(lanes);
  return (random.below(3) == 0 ? mask_of(lanes) : some) | std::uint64_t{1} << random.below(lanes);
}

/// Predicates, or numbers of which some are equal.
Values random_operands(base::Random& random, const OperationRow& row) {
  const std::uint64_t kinds = 1 + random.below(3);
  const bool narrow = random.below(2) == 0;
  Values values;
  for (std::uint64_t& value : values) {
    value = narrow ? random.below(kinds) : random.next();
    if (is_vote(row.formula)) value = value % 3 != 0 ? 1 : 0;
    if (row.operand_words == 1) value &= 0xffffffff;
  }
  return values;
}

/// What the formula says for each of `lanes`, and 77 for the others.
template <class Word>
Values results_of(const OperationRow& row, std::uint64_t lanes, const Values& operands) {
  Values results;
  results.fill(77);
  detail::evaluate<Word>(
      row.formula, lanes, [&](unsigned lane) { return static_cast<Word>(operands[lane]); },
      [&](unsigned lane, std::uint64_t result) { results[lane] = result; });
  return results;
}

Values results_of(const OperationRow& row, std::uint64_t lanes, const Values& operands) {
  return row.operand_words == 1 ? results_of<std::uint32_t>(row, lanes, operands)
                                : results_of<std::uint64_t>(row, lanes, operands);
}

/// The same from the function that completes the operation on fibers.
template <class Base>
Values completed(unsigned id, std::uint64_t lanes, const Values& operands) {
  std::array<detail::WordOperand<Base>, detail::kMaxWarpSize> arguments{};
  detail::LaneArgument* pointers[detail::kMaxWarpSize] = {};
  std::uint64_t offered[detail::kMaxWarpSize];
  for (unsigned lane = 0; lane < detail::kMaxWarpSize; ++lane) {
    arguments[lane].value = operands[lane];
    if ((lanes >> lane & 1) != 0) pointers[lane] = &arguments[lane];
  }
  detail::kCollectives[id].complete(detail::Meeting{pointers, lanes, lanes, offered, detail::kMaxWarpSize});
  Values results;
  for (unsigned lane = 0; lane < results.size(); ++lane)
    results[lane] = (lanes >> lane & 1) != 0 ? arguments[lane].value : 77;
  return results;
}

/// The same from the library of regions: of a warp whose other lanes have returned, or that meets by masks.
template <class Word>
Values of_region(unsigned id, bool masked, std::uint64_t lanes, const Values& operands) {
  std::vector<Word> brought(kLanes), results(kLanes, 77);
  std::vector<std::uint8_t> next(kLanes, 1), active(kLanes, 1);
  const std::vector<std::uint32_t> masks(kLanes, static_cast<std::uint32_t>(lanes));
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    const bool takes_part = (lanes >> lane & 1) != 0;
    brought[lane] = static_cast<Word>(operands[lane]);
    active[lane] = takes_part ? 1 : 0;
    if (!takes_part && !masked) next[lane] = detail::kThreadReturned;
  }
  constexpr unsigned kWords = sizeof(Word) / 4;
  if (masked) {
    const WarpfiberRegionThreads of{0, kLanes, 0};
    warpfiber_regions_masked_collective(id, kWords, brought.data(), results.data(), next.data(), active.data(), &of,
                                        masks.data());
  } else {
    warpfiber_regions_collective(id, kWords, kLanes, brought.data(), results.data(), next.data(), kLanes);
  }
  Values wide;
  wide.fill(77);
  std::copy(results.begin(), results.end(), wide.begin());
  return wide;
}

}  // namespace

TEST_CASE("the library computes what the row of each operation says") {
  const unsigned id = GENERATE(range(0U, kOperationCount));
  const OperationRow& row = kOperations[id];
  if (!has_words(row) || row.called_by == CalledBy::block) return;
  CAPTURE(std::string(row.name), id);
  base::Random random(id + 1);
  for (int trial = 0; trial < 100; ++trial) {
    const std::uint64_t wide_lanes = random_lanes(random, detail::kMaxWarpSize);
    const Values operands = random_operands(random, row);
    const Values expected = results_of(row, wide_lanes, operands);
    REQUIRE((row.called_by == CalledBy::mask ? completed<detail::LaneArgument>(id, wide_lanes, operands)
                                             : completed<detail::GroupArgument>(id, wide_lanes, operands)) == expected);
    const std::uint64_t lanes = random_lanes(random, kLanes);
    const Values of_warp = results_of(row, lanes, operands);
    for (const bool masked : {false, true}) {
      REQUIRE((row.operand_words == 1 ? of_region<std::uint32_t>(id, masked, lanes, operands)
                                      : of_region<std::uint64_t>(id, masked, lanes, operands)) == of_warp);
    }
  }
}

TEST_CASE("reductions of regions take double words as well") {
  const unsigned id = GENERATE(range(0U, kOperationCount));
  const OperationRow& row = kOperations[id];
  if (!is_reduction(row.formula)) return;
  CAPTURE(std::string(row.name), id);
  base::Random random(id + 100);
  OperationRow wide = row;
  wide.operand_words = 2;
  for (int trial = 0; trial < 100; ++trial) {
    const std::uint64_t lanes = random_lanes(random, kLanes);
    const Values operands = random_operands(random, wide);
    REQUIRE(of_region<std::uint64_t>(id, false, lanes, operands) == results_of(wide, lanes, operands));
  }
}

TEST_CASE("votes of a block are votes of numbers of threads") {
  const unsigned id = GENERATE(range(0U, kOperationCount));
  const OperationRow& row = kOperations[id];
  if (!is_vote(row.formula) || row.called_by != CalledBy::block) return;
  CAPTURE(std::string(row.name));
  base::Random random(id);
  for (int trial = 0; trial < 100; ++trial) {
    const auto threads = 1 + static_cast<unsigned>(random.below(200));
    std::vector<std::uint32_t> brought(threads);
    std::vector<std::uint8_t> next(threads);
    unsigned hold = 0, live = 0;
    const std::uint64_t rarity = 1 + random.below(300);
    for (unsigned i = 0; i < threads; ++i) {
      brought[i] = random.below(rarity) != 0 ? 1 : 0;
      next[i] = random.below(5) == 0 ? detail::kThreadReturned : 3;
      live += next[i] == 3 ? 1 : 0;
      hold += next[i] == 3 ? brought[i] : 0;
    }
    std::uint32_t result = 77;
    warpfiber_regions_block_collective(id, brought.data(), &result, next.data(), threads);
    REQUIRE(result == detail::vote_result(row.formula, hold, live));
  }
}

TEST_CASE("rows agree with the formulas that they name") {
  for (const OperationRow& row : kOperations) {
    CAPTURE(std::string(row.name));
    if (row.formula == Formula::nothing) {
      CHECK(row.operand_words == 0);
      CHECK(row.orders == detail::Orders::memory);
    }
    if (is_vote(row.formula) || is_reduction(row.formula)) CHECK(row.operand_words == 1);
    if (is_match(row.formula)) CHECK(row.operand_words == 2);
    if (is_shuffle(row.formula) || is_match(row.formula)) CHECK(row.result_words == row.operand_words);
    if (is_vote(row.formula) || is_reduction(row.formula)) CHECK(row.result_words == 1);
    if (row.formula == Formula::nothing) CHECK((row.operand_words == 0 && row.result_words == 0));
  }
  for (const Formula by : {Formula::index, Formula::up, Formula::down, Formula::exclusive_or}) {
    CHECK(row_of(shuffle_by(by, Operation::shuffle)).formula == by);
    CHECK(row_of(shuffle_by(by, Operation::group_shuffle)).formula == by);
  }
}

// Formulas are evaluated by compilers, too.
static_assert(detail::vote_result(Formula::all, 0b101, 0b101) == 1 &&
              detail::vote_result(Formula::uniform, 1, 0b101) == 0);
static_assert(detail::combined<std::uint32_t>(Formula::min_signed, 0xffffffff, 1) == 0xffffffff);
static_assert(detail::shuffle_source<Formula::down>(31, 1, detail::kWholeWarp, 32, 31) == 31);
static_assert(detail::match_result(Formula::match_any, 0b111, 0, [](unsigned lane) { return lane % 2; }) == 0b101);
