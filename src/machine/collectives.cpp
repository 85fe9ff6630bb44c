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
Argument& of(LaneArgument** arguments, unsigned lane) {
  return *static_cast<Argument*>(arguments[lane]);
}

template <class Visit>
void each_lane(Lanes mask, Visit&& visit) {
  for (Lanes rest = mask; rest != 0; rest &= rest - 1) visit(static_cast<unsigned>(std::countr_zero(rest)));
}

// shfl.sync as the PTX ISA defines it: `segment` cuts the warp into groups, `lane` and `operand` pick a source, and a
// source beyond `last` means that the lane keeps its own value. Operands count modulo the warp size.
struct ShuffleLane {
  unsigned lane;
  unsigned operand;
  unsigned segment;
  unsigned last;  // of the group; for shuffles upwards the first
};

unsigned source_indexed(const ShuffleLane& s) {
  const unsigned source = (s.lane & s.segment) | (s.operand & ~s.segment);
  return source <= s.last ? source : s.lane;
}
unsigned source_up(const ShuffleLane& s) {
  const int source = static_cast<int>(s.lane) - static_cast<int>(s.operand);
  return source >= static_cast<int>(s.last) ? static_cast<unsigned>(source) : s.lane;
}
unsigned source_down(const ShuffleLane& s) {
  const unsigned source = s.lane + s.operand;
  return source <= s.last ? source : s.lane;
}
unsigned source_xor(const ShuffleLane& s) {
  const unsigned source = s.lane ^ s.operand;
  return source <= s.last ? source : s.lane;
}

template <unsigned (*Source)(const ShuffleLane&), bool kUpwards>
void complete_shuffle(LaneArgument** arguments, Lanes mask, unsigned warp_size) {
  const unsigned top = std::bit_ceil(warp_size) - 1;
  std::uint64_t offered[kMaxWarpSize];
  each_lane(mask, [&](unsigned lane) { offered[lane] = of<ShuffleArgument>(arguments, lane).value; });
  each_lane(mask, [&](unsigned lane) {
    auto& mine = of<ShuffleArgument>(arguments, lane);
    const bool whole = mine.width == static_cast<int>(warp_size);
    const unsigned segment = whole ? 0 : (top + 1 - static_cast<unsigned>(mine.width)) & top;
    const unsigned last = (lane & segment) | (kUpwards ? 0 : top & ~segment);
    const unsigned source = Source(ShuffleLane{lane, static_cast<unsigned>(mine.operand) & top, segment, last});
    mine.value = (mask >> source & 1) != 0 ? offered[source] : machine::kAbsentLaneValue;
  });
}

Lanes ballot(LaneArgument** arguments, Lanes mask) {
  Lanes set = 0;
  each_lane(mask, [&](unsigned lane) { set |= Lanes{of<VoteArgument>(arguments, lane).value} << lane; });
  return set;
}

template <class Verdict>
void answer_all(LaneArgument** arguments, Lanes mask, Verdict verdict) {
  const std::uint64_t answer = verdict(ballot(arguments, mask), mask);
  each_lane(mask, [&](unsigned lane) { of<VoteArgument>(arguments, lane).value = answer; });
}

void complete_all(LaneArgument** arguments, Lanes mask, unsigned) {
  answer_all(arguments, mask, [](Lanes set, Lanes all) { return Lanes{set == all}; });
}
void complete_any(LaneArgument** arguments, Lanes mask, unsigned) {
  answer_all(arguments, mask, [](Lanes set, Lanes) { return Lanes{set != 0}; });
}
void complete_uniform(LaneArgument** arguments, Lanes mask, unsigned) {
  answer_all(arguments, mask, [](Lanes set, Lanes all) { return Lanes{set == 0 || set == all}; });
}
void complete_ballot(LaneArgument** arguments, Lanes mask, unsigned) {
  answer_all(arguments, mask, [](Lanes set, Lanes) { return set; });
}

void complete_match_any(LaneArgument** arguments, Lanes mask, unsigned) {
  std::uint64_t values[kMaxWarpSize];
  each_lane(mask, [&](unsigned lane) { values[lane] = of<MatchArgument>(arguments, lane).value; });
  each_lane(mask, [&](unsigned lane) {
    Lanes equal = 0;
    each_lane(mask, [&](unsigned other) { equal |= Lanes{values[other] == values[lane]} << other; });
    of<MatchArgument>(arguments, lane).value = equal;
  });
}

void complete_match_all(LaneArgument** arguments, Lanes mask, unsigned) {
  const std::uint64_t first = of<MatchArgument>(arguments, static_cast<unsigned>(std::countr_zero(mask))).value;
  bool equal = true;
  each_lane(mask, [&](unsigned lane) { equal = equal && of<MatchArgument>(arguments, lane).value == first; });
  each_lane(mask, [&](unsigned lane) { of<MatchArgument>(arguments, lane).value = equal ? mask : 0; });
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
void complete_reduce(LaneArgument** arguments, Lanes mask, unsigned) {
  const unsigned first = static_cast<unsigned>(std::countr_zero(mask));
  unsigned total = of<ReduceArgument>(arguments, first).value;
  each_lane(mask & (mask - 1),
            [&](unsigned lane) { total = Operation{}(total, of<ReduceArgument>(arguments, lane).value); });
  each_lane(mask, [&](unsigned lane) { of<ReduceArgument>(arguments, lane).value = total; });
}

void complete_nothing(LaneArgument**, Lanes, unsigned) {}

}  // namespace

constinit const Collective kSyncWarp{"__syncwarp()", complete_nothing};
constinit const Collective kShuffle{"__shfl_sync()", complete_shuffle<source_indexed, false>};
constinit const Collective kShuffleUp{"__shfl_up_sync()", complete_shuffle<source_up, true>};
constinit const Collective kShuffleDown{"__shfl_down_sync()", complete_shuffle<source_down, false>};
constinit const Collective kShuffleXor{"__shfl_xor_sync()", complete_shuffle<source_xor, false>};
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
