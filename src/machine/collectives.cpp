// SPDX-License-Identifier: Apache-2.0
// Warp collectives as pure functions: operands of all participating lanes in, results of all of them out.
// Called by the engine on the lane that arrives last; `mask` names the lanes that take part, each with an argument.
#include <warpfiber/detail/collective.hpp>

#include "machine/collectives.hpp"

#include <bit>

namespace warpfiber::detail {
namespace {

using Lanes = std::uint64_t;

template <class Argument>
Argument& of(const Meeting& meeting, unsigned lane) {
  return *static_cast<Argument*>(meeting.arguments[lane]);
}

template <class Visit>
void each_lane(Lanes mask, Visit&& visit) {
  for (Lanes rest = mask; rest != 0; rest &= rest - 1) visit(static_cast<unsigned>(std::countr_zero(rest)));
}

template <ShuffleBy kBy>
void complete_shuffle(const Meeting& meeting) {
  const unsigned top = std::bit_ceil(meeting.warp_size) - 1;
  const int size = static_cast<int>(meeting.warp_size);
  std::uint64_t* offered = meeting.offered;
  each_lane(meeting.handed, [&](unsigned lane) { offered[lane] = of<ShuffleArgument>(meeting, lane).value; });
  each_lane(meeting.handed, [&](unsigned lane) {
    auto& mine = of<ShuffleArgument>(meeting, lane);
    const unsigned source = shuffle_source<kBy>(lane, mine.operand, mine.width, size, top);
    mine.value = (meeting.lanes >> source & 1) != 0 ? offered[source] : machine::kAbsentLaneValue;
  });
}

Lanes ballot(const Meeting& meeting) {
  Lanes set = 0;
  each_lane(meeting.lanes, [&](unsigned lane) { set |= Lanes{of<VoteArgument>(meeting, lane).value} << lane; });
  return set;
}

template <class Verdict>
void answer_all(const Meeting& meeting, Verdict verdict) {
  const std::uint64_t answer = verdict(ballot(meeting), meeting.lanes);
  each_lane(meeting.lanes, [&](unsigned lane) { of<VoteArgument>(meeting, lane).value = answer; });
}

void complete_all(const Meeting& meeting) {
  answer_all(meeting, [](Lanes set, Lanes all) { return Lanes{set == all}; });
}
void complete_any(const Meeting& meeting) {
  answer_all(meeting, [](Lanes set, Lanes) { return Lanes{set != 0}; });
}
void complete_uniform(const Meeting& meeting) {
  answer_all(meeting, [](Lanes set, Lanes all) { return Lanes{set == 0 || set == all}; });
}
void complete_ballot(const Meeting& meeting) {
  answer_all(meeting, [](Lanes set, Lanes) { return set; });
}

void complete_match_any(const Meeting& meeting) {
  const Lanes mask = meeting.lanes;
  std::uint64_t values[kMaxWarpSize];
  each_lane(mask, [&](unsigned lane) { values[lane] = of<MatchArgument>(meeting, lane).value; });
  each_lane(mask, [&](unsigned lane) {
    Lanes equal = 0;
    each_lane(mask, [&](unsigned other) { equal |= Lanes{values[other] == values[lane]} << other; });
    of<MatchArgument>(meeting, lane).value = equal;
  });
}

void complete_match_all(const Meeting& meeting) {
  const Lanes mask = meeting.lanes;
  const std::uint64_t first = of<MatchArgument>(meeting, static_cast<unsigned>(std::countr_zero(mask))).value;
  bool equal = true;
  each_lane(mask, [&](unsigned lane) { equal = equal && of<MatchArgument>(meeting, lane).value == first; });
  each_lane(mask, [&](unsigned lane) { of<MatchArgument>(meeting, lane).value = equal ? mask : 0; });
}

struct Add {
  unsigned operator()(unsigned a, unsigned b) const { return a + b; }
};
struct And {
  unsigned operator()(unsigned a, unsigned b) const { return a & b; }
};
struct Or {
  unsigned operator()(unsigned a, unsigned b) const { return a | b; }
};
struct Xor {
  unsigned operator()(unsigned a, unsigned b) const { return a ^ b; }
};
template <class T>
struct Min {
  unsigned operator()(unsigned a, unsigned b) const { return static_cast<T>(a) < static_cast<T>(b) ? a : b; }
};
template <class T>
struct Max {
  unsigned operator()(unsigned a, unsigned b) const { return static_cast<T>(a) > static_cast<T>(b) ? a : b; }
};

template <class Operation>
void complete_reduce(const Meeting& meeting) {
  const Lanes mask = meeting.lanes;
  const unsigned first = static_cast<unsigned>(std::countr_zero(mask));
  unsigned total = of<ReduceArgument>(meeting, first).value;
  each_lane(mask & (mask - 1),
            [&](unsigned lane) { total = Operation{}(total, of<ReduceArgument>(meeting, lane).value); });
  each_lane(mask, [&](unsigned lane) { of<ReduceArgument>(meeting, lane).value = total; });
}

void complete_nothing(const Meeting&) {}

}  // namespace

constinit const Collective kSyncWarp{"__syncwarp()", complete_nothing};
constinit const Collective kShuffle{"__shfl_sync()", complete_shuffle<ShuffleBy::index>, true};
constinit const Collective kShuffleUp{"__shfl_up_sync()", complete_shuffle<ShuffleBy::up>, true};
constinit const Collective kShuffleDown{"__shfl_down_sync()", complete_shuffle<ShuffleBy::down>, true};
constinit const Collective kShuffleXor{"__shfl_xor_sync()", complete_shuffle<ShuffleBy::exclusive_or>, true};
constinit const Collective kVoteAll{"__all_sync()", complete_all};
constinit const Collective kVoteAny{"__any_sync()", complete_any};
constinit const Collective kVoteUniform{"__uni_sync()", complete_uniform};
constinit const Collective kBallot{"__ballot_sync()", complete_ballot};
constinit const Collective kMatchAny{"__match_any_sync()", complete_match_any};
constinit const Collective kMatchAll{"__match_all_sync()", complete_match_all};
constinit const Collective kReduceAdd{"__reduce_add_sync()", complete_reduce<Add>};
constinit const Collective kReduceAnd{"__reduce_and_sync()", complete_reduce<And>};
constinit const Collective kReduceOr{"__reduce_or_sync()", complete_reduce<Or>};
constinit const Collective kReduceXor{"__reduce_xor_sync()", complete_reduce<Xor>};
constinit const Collective kReduceMinUnsigned{"__reduce_min_sync()", complete_reduce<Min<unsigned>>};
constinit const Collective kReduceMinSigned{"__reduce_min_sync()", complete_reduce<Min<int>>};
constinit const Collective kReduceMaxUnsigned{"__reduce_max_sync()", complete_reduce<Max<unsigned>>};
constinit const Collective kReduceMaxSigned{"__reduce_max_sync()", complete_reduce<Max<int>>};

}  // namespace warpfiber::detail
