// SPDX-License-Identifier: Apache-2.0
// Warp collectives as pure functions: operands of all participating lanes in, results of all of them out, by the
// formulas of the operations' table. Called by the engine on the lane that arrives last; `mask` names the lanes that
// take part, each with an argument.
#include <warpfiber/detail/collective.hpp>
#include <warpfiber/detail/matrix.hpp>

#include "machine/matrix/multiply.hpp"
#include "machine/rendezvous.hpp"

#include <array>
#include <bit>
#include <cstring>
#include <utility>

namespace warpfiber::detail {
namespace {

using WarpLanes = std::uint64_t;

template <class Argument>
Argument& of(const Meeting& meeting, unsigned lane) {
  return *static_cast<Argument*>(meeting.arguments[lane]);
}

template <Formula kFormula, class Argument>
void complete_shuffle(const Meeting& meeting) {
  const unsigned top = std::bit_ceil(meeting.warp_size) - 1;
  const int size = static_cast<int>(meeting.warp_size);
  std::uint64_t* offered = meeting.offered;
  each_lane(meeting.handed, [&](unsigned lane) { offered[lane] = of<Argument>(meeting, lane).value; });
  each_lane(meeting.handed, [&](unsigned lane) {
    auto& mine = of<Argument>(meeting, lane);
    const unsigned source = shuffle_source<kFormula>(lane, mine.operand, mine.width, size, top);
    mine.absent = (meeting.lanes >> source & 1) == 0;
    mine.value = mine.absent ? machine::kAbsentLaneValue : offered[source];
  });
}

/// Votes, matches and reductions.
template <Formula kFormula, class Word, class Argument>
void complete_words(const Meeting& meeting) {
  evaluate<Word>(
      kFormula, meeting.lanes, [&](unsigned lane) { return static_cast<Word>(of<Argument>(meeting, lane).value); },
      [&](unsigned lane, std::uint64_t result) { of<Argument>(meeting, lane).value = result; });
}

void complete_copy(const Meeting& meeting) {
  static_assert(machine::kAbsentLaneValue == 0);
  each_lane(meeting.lanes, [&](unsigned lane) {
    const auto& mine = of<CopyArgument>(meeting, lane);
    if ((meeting.lanes >> mine.source & 1) != 0) {
      std::memcpy(mine.result, of<CopyArgument>(meeting, mine.source).value, mine.size);
      return;
    }
    std::memset(mine.result, 0, mine.size);
  });
}

void complete_labels(const Meeting& meeting) {
  complete_words<Formula::match_any, std::uint64_t, LabelArgument>(meeting);
  WarpLanes leaders = 0;
  each_lane(meeting.lanes, [&](unsigned lane) {
    const WarpLanes group = of<LabelArgument>(meeting, lane).value;
    leaders |= group & (~group + 1);
  });
  each_lane(meeting.lanes, [&](unsigned lane) {
    auto& mine = of<LabelArgument>(meeting, lane);
    const WarpLanes before = (WarpLanes{1} << std::countr_zero(mine.value)) - 1;
    mine.rank = static_cast<unsigned>(std::popcount(leaders & before));
    mine.groups = static_cast<unsigned>(std::popcount(leaders));
  });
}

void complete_agreement(const Meeting& meeting) {
  const unsigned first = static_cast<unsigned>(std::countr_zero(meeting.lanes));
  const std::uint64_t number = of<AgreeArgument>(meeting, first).value;
  bool agree = true;
  each_lane(meeting.lanes, [&](unsigned lane) { agree = agree && of<AgreeArgument>(meeting, lane).value == number; });
  each_lane(meeting.lanes, [&](unsigned lane) { of<AgreeArgument>(meeting, lane).agree = agree; });
}

void complete_election(const Meeting& meeting) {
  const unsigned leader = static_cast<unsigned>(std::countr_zero(meeting.lanes));
  each_lane(meeting.lanes, [&](unsigned lane) { of<ElectArgument>(meeting, lane).leader = leader; });
}

/// Lanes that are not there bring zeros, and what they would get goes nowhere.
void complete_product(const Meeting& meeting) {
  static constexpr std::uint32_t kZeros[kMostMatrixWords] = {};
  std::uint32_t unused[kMostMatrixWords];
  const std::uint32_t* operands[3][kMatrixLanes];
  std::uint32_t* results[kMatrixLanes];
  std::uint32_t metadata[kMatrixLanes];
  for (unsigned lane = 0; lane < kMatrixLanes; ++lane) {
    const bool is_there = (meeting.lanes >> lane & 1) != 0;
    const MatrixArgument* argument = is_there ? &of<MatrixArgument>(meeting, lane) : nullptr;
    operands[0][lane] = is_there ? argument->a : kZeros;
    operands[1][lane] = is_there ? argument->b : kZeros;
    operands[2][lane] = is_there ? argument->c : kZeros;
    results[lane] = is_there ? argument->d : unused;
    metadata[lane] = is_there ? argument->metadata : 0;
  }
  each_lane(meeting.lanes, [&](unsigned lane) { of<MatrixArgument>(meeting, lane).lanes = meeting.lanes; });
  const auto& first = of<MatrixArgument>(meeting, static_cast<unsigned>(std::countr_zero(meeting.lanes)));
  machine::multiply(*first.product, meeting.capability,
                    {operands[0], operands[1], operands[2], metadata, first.selector}, results);
}

void complete_move(const Meeting& meeting) {
  const MatrixMove* moves[kMatrixLanes];
  for (unsigned lane = 0; lane < kMatrixLanes; ++lane)
    moves[lane] = (meeting.lanes >> lane & 1) != 0 ? &of<MatrixMove>(meeting, lane) : nullptr;
  machine::move(moves);
  each_lane(meeting.lanes, [&](unsigned lane) { of<MatrixMove>(meeting, lane).lanes = meeting.lanes; });
}

void complete_access(const Meeting& meeting) {
  const auto& first = of<MatrixAccess>(meeting, static_cast<unsigned>(std::countr_zero(meeting.lanes)));
  bool is_equal = true;
  each_lane(meeting.lanes, [&](unsigned lane) {
    const auto& access = of<MatrixAccess>(meeting, lane);
    is_equal = is_equal && access.memory == first.memory && access.leading_dimension == first.leading_dimension &&
               access.by_rows == first.by_rows;
  });
  each_lane(meeting.lanes, [&](unsigned lane) {
    auto& access = of<MatrixAccess>(meeting, lane);
    access.is_equal = is_equal;
    access.lanes = meeting.lanes;
  });
}

void complete_nothing(const Meeting&) {}

/// Null for operations of the whole block, and for those whose calls have code that completes them.
template <Operation kOperation>
constexpr auto completion() -> void (*)(const Meeting&) {
  constexpr OperationRow kRow = row_of(kOperation);
  using Base = std::conditional_t<kRow.called_by == CalledBy::mask, LaneArgument, GroupArgument>;
  using Word = std::conditional_t<kRow.operand_words == 1, unsigned, std::uint64_t>;
  constexpr Formula kFormula = kRow.formula;
  if constexpr (kRow.called_by == CalledBy::block) {
    return nullptr;
  } else if constexpr (kFormula == Formula::nothing) {
    return complete_nothing;
  } else if constexpr (is_shuffle(kFormula)) {
    return complete_shuffle<kFormula, ShuffleOperands<Base>>;
  } else if constexpr (is_vote(kFormula) || is_match(kFormula) || is_reduction(kFormula)) {
    return complete_words<kFormula, Word, WordOperand<Base>>;
  } else if constexpr (kFormula == Formula::matrix_product) {
    return complete_product;
  } else if constexpr (kFormula == Formula::matrix_move) {
    return complete_move;
  } else if constexpr (kFormula == Formula::matrix_access) {
    return complete_access;
  } else if constexpr (kFormula == Formula::labels) {
    return complete_labels;
  } else if constexpr (kFormula == Formula::agreement) {
    return complete_agreement;
  } else if constexpr (kFormula == Formula::election) {
    return complete_election;
  } else {
    constexpr bool kCopies = kOperation >= Operation::group_copy && kOperation <= Operation::group_copy_xor;
    return kCopies ? complete_copy : nullptr;
  }
}

template <Operation kOperation>
constexpr Collective collective() {
  constexpr bool kMeetsTiles = kOperation == Operation::group_sync;
  return collective_of(kOperation, completion<kOperation>(),
                       kMeetsTiles ? &kCollectiveOf<Operation::tile_sync> : nullptr);
}

}  // namespace

#define WARPFIBER_COLLECTIVE(id, ...) collective<Operation::id>(),
constinit const Collective kCollectives[kOperationCount] = {WARPFIBER_OPERATIONS(WARPFIBER_COLLECTIVE)};
#undef WARPFIBER_COLLECTIVE

}  // namespace warpfiber::detail
