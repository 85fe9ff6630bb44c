// SPDX-License-Identifier: Apache-2.0
// Warp collectives as pure functions: operands of all participating lanes in, results of all of them out.
// Called by the engine on the lane that arrives last; `mask` names the lanes that take part, each with an argument.
#include <warpfiber/detail/collective.hpp>

#include "machine/collectives.hpp"

#include <bit>
#include <cstring>

namespace warpfiber::detail {
namespace {

using WarpLanes = std::uint64_t;

template <class Argument>
Argument& of(const Meeting& meeting, unsigned lane) {
  return *static_cast<Argument*>(meeting.arguments[lane]);
}

template <class Visit>
void each_lane(WarpLanes mask, Visit&& visit) {
  for (WarpLanes rest = mask; rest != 0; rest &= rest - 1) visit(static_cast<unsigned>(std::countr_zero(rest)));
}

template <ShuffleBy kBy, class Argument = ShuffleArgument>
void complete_shuffle(const Meeting& meeting) {
  const unsigned top = std::bit_ceil(meeting.warp_size) - 1;
  const int size = static_cast<int>(meeting.warp_size);
  std::uint64_t* offered = meeting.offered;
  each_lane(meeting.handed, [&](unsigned lane) { offered[lane] = of<Argument>(meeting, lane).value; });
  each_lane(meeting.handed, [&](unsigned lane) {
    auto& mine = of<Argument>(meeting, lane);
    const unsigned source = shuffle_source<kBy>(lane, mine.operand, mine.width, size, top);
    mine.absent = (meeting.lanes >> source & 1) == 0;
    mine.value = mine.absent ? machine::kAbsentLaneValue : offered[source];
  });
}

template <class Argument = VoteArgument, class Verdict>
void answer_all(const Meeting& meeting, Verdict verdict) {
  WarpLanes set = 0;
  each_lane(meeting.lanes, [&](unsigned lane) { set |= WarpLanes{of<Argument>(meeting, lane).value} << lane; });
  const std::uint64_t answer = verdict(set, meeting.lanes);
  each_lane(meeting.lanes, [&](unsigned lane) { of<Argument>(meeting, lane).value = answer; });
}

void complete_all(const Meeting& meeting) {
  answer_all(meeting, [](WarpLanes set, WarpLanes all) { return WarpLanes{set == all}; });
}
void complete_any(const Meeting& meeting) {
  answer_all(meeting, [](WarpLanes set, WarpLanes) { return WarpLanes{set != 0}; });
}
void complete_uniform(const Meeting& meeting) {
  answer_all(meeting, [](WarpLanes set, WarpLanes all) { return WarpLanes{set == 0 || set == all}; });
}
template <class Argument = VoteArgument>
void complete_ballot(const Meeting& meeting) {
  answer_all<Argument>(meeting, [](WarpLanes set, WarpLanes) { return set; });
}

template <class Argument = MatchArgument>
void complete_match_any(const Meeting& meeting) {
  const WarpLanes mask = meeting.lanes;
  std::uint64_t values[kMaxWarpSize];
  each_lane(mask, [&](unsigned lane) { values[lane] = of<Argument>(meeting, lane).value; });
  each_lane(mask, [&](unsigned lane) {
    WarpLanes equal = 0;
    each_lane(mask, [&](unsigned other) { equal |= WarpLanes{values[other] == values[lane]} << other; });
    of<Argument>(meeting, lane).value = equal;
  });
}

template <class Argument = MatchArgument>
void complete_match_all(const Meeting& meeting) {
  const WarpLanes mask = meeting.lanes;
  const std::uint64_t first = of<Argument>(meeting, static_cast<unsigned>(std::countr_zero(mask))).value;
  bool equal = true;
  each_lane(mask, [&](unsigned lane) { equal = equal && of<Argument>(meeting, lane).value == first; });
  each_lane(mask, [&](unsigned lane) { of<Argument>(meeting, lane).value = equal ? mask : 0; });
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
  complete_match_any<LabelArgument>(meeting);
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
  const WarpLanes mask = meeting.lanes;
  const unsigned first = static_cast<unsigned>(std::countr_zero(mask));
  unsigned total = of<ReduceArgument>(meeting, first).value;
  each_lane(mask & (mask - 1),
            [&](unsigned lane) { total = Operation{}(total, of<ReduceArgument>(meeting, lane).value); });
  each_lane(mask, [&](unsigned lane) { of<ReduceArgument>(meeting, lane).value = total; });
}

void complete_nothing(const Meeting&) {}

}  // namespace

constinit const Collective kSyncWarp{.name = "__syncwarp()", .complete = complete_nothing, .orders = true};
constinit const Collective kNamedSync{.name = "bar.sync", .complete = complete_ballot<>, .orders = true};
constinit const Collective kNamedArrive{.name = "bar.arrive", .complete = complete_ballot<>, .orders = true};
constinit const Collective kNamedReduce{.name = "bar.red", .complete = complete_ballot<>, .orders = true};
constinit const Collective kShuffle{"__shfl_sync()", complete_shuffle<ShuffleBy::index>, true};
constinit const Collective kShuffleUp{"__shfl_up_sync()", complete_shuffle<ShuffleBy::up>, true};
constinit const Collective kShuffleDown{"__shfl_down_sync()", complete_shuffle<ShuffleBy::down>, true};
constinit const Collective kShuffleXor{"__shfl_xor_sync()", complete_shuffle<ShuffleBy::exclusive_or>, true};
constinit const Collective kVoteAll{"__all_sync()", complete_all};
constinit const Collective kVoteAny{"__any_sync()", complete_any};
constinit const Collective kVoteUniform{"__uni_sync()", complete_uniform};
constinit const Collective kBallot{"__ballot_sync()", complete_ballot<>};
constinit const Collective kMatchAny{"__match_any_sync()", complete_match_any<>};
constinit const Collective kMatchAll{"__match_all_sync()", complete_match_all<>};
constinit const Collective kReduceAdd{"__reduce_add_sync()", complete_reduce<Add>};
constinit const Collective kReduceAnd{"__reduce_and_sync()", complete_reduce<And>};
constinit const Collective kReduceOr{"__reduce_or_sync()", complete_reduce<Or>};
constinit const Collective kReduceXor{"__reduce_xor_sync()", complete_reduce<Xor>};
constinit const Collective kReduceMinUnsigned{"__reduce_min_sync()", complete_reduce<Min<unsigned>>};
constinit const Collective kReduceMinSigned{"__reduce_min_sync()", complete_reduce<Min<int>>};
constinit const Collective kReduceMaxUnsigned{"__reduce_max_sync()", complete_reduce<Max<unsigned>>};
constinit const Collective kReduceMaxSigned{"__reduce_max_sync()", complete_reduce<Max<int>>};

template <ShuffleBy kBy>
constexpr auto kCompleteGroupShuffle = complete_shuffle<kBy, GroupShuffleArgument>;
constexpr auto kCompleteGroupBallot = complete_ballot<GroupVoteArgument>;

constinit const Collective kTileSync{
    .name = "group.sync()", .complete = complete_nothing, .group = true, .orders = true};
constinit const Collective kGroupSync{
    .name = "group.sync()", .complete = complete_nothing, .group = true, .meets = &kTileSync, .orders = true};
constinit const Collective kGroupShuffle{"group.shfl()", kCompleteGroupShuffle<ShuffleBy::index>, true, true};
constinit const Collective kGroupShuffleUp{"group.shfl_up()", kCompleteGroupShuffle<ShuffleBy::up>, true, true};
constinit const Collective kGroupShuffleDown{"group.shfl_down()", kCompleteGroupShuffle<ShuffleBy::down>, true, true};
constinit const Collective kGroupShuffleXor{"group.shfl_xor()", kCompleteGroupShuffle<ShuffleBy::exclusive_or>, true,
                                            true};
constinit const Collective kGroupCopy{"group.shfl()", complete_copy, false, true};
constinit const Collective kGroupCopyUp{"group.shfl_up()", complete_copy, false, true};
constinit const Collective kGroupCopyDown{"group.shfl_down()", complete_copy, false, true};
constinit const Collective kGroupCopyXor{"group.shfl_xor()", complete_copy, false, true};
constinit const Collective kGroupAll{"group.all()", kCompleteGroupBallot, false, true};
constinit const Collective kGroupAny{"group.any()", kCompleteGroupBallot, false, true};
constinit const Collective kGroupBallot{"group.ballot()", kCompleteGroupBallot, false, true};
constinit const Collective kGroupMatchAny{"group.match_any()", complete_match_any<GroupMatchArgument>, false, true};
constinit const Collective kGroupMatchAll{"group.match_all()", complete_match_all<GroupMatchArgument>, false, true};
constinit const Collective kBinaryPartition{"binary_partition()", kCompleteGroupBallot, false, true};
constinit const Collective kLabeledPartition{"labeled_partition()", complete_labels, false, true};
constinit const Collective kTiledPartition{"tiled_partition()", complete_agreement, false, true};
constinit const Collective kStridePartition{"stride_partition()", complete_agreement, false, true};
constinit const Collective kInvokeOne{"invoke_one()", complete_election, false, true};

}  // namespace warpfiber::detail
