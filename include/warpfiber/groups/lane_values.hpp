// SPDX-License-Identifier: Apache-2.0
// Reductions and scans of groups that fit a warp: one rendezvous. If the operator is known, the lane that comes last
// computes the results of all; else it hands every lane the values of all, in the order of ranks, and each evaluates
// its own result after the wait, because a user's operator may do anything, and wait too. Lanes that have returned are
// left out; the ranks of the others then close up, and a tile that lacks some is evaluated as a coalesced group.
#pragma once

#include <warpfiber/groups/evaluate.hpp>
#include <warpfiber/groups/reducible.hpp>

namespace cooperative_groups {
inline namespace __v1 {
namespace details {

using warpfiber::detail::Collective;
using warpfiber::detail::GroupArgument;
using warpfiber::detail::LaneArgument;
using warpfiber::detail::Meeting;

/// Lanes of a rendezvous by rank.
template <class Argument, unsigned kRoom>
class Ranks {
 public:
  explicit Ranks(const Meeting& meeting) {
    for (std::uint64_t rest = meeting.lanes; rest != 0; rest &= rest - 1) {
      LaneArgument* argument = meeting.arguments[__builtin_ctzll(rest)];
      arguments_[count_++] = static_cast<Argument*>(static_cast<GroupArgument*>(argument));
    }
  }

  unsigned count() const {
    if (count_ == 0 || count_ > kRoom) __builtin_unreachable();  // the compiler lays out loops for no more
    return count_;
  }
  Argument& operator[](unsigned rank) const { return *arguments_[rank]; }

 private:
  unsigned count_ = 0;
  Argument* arguments_[kRoom];
};

/// Where a lane is among those that came. The total is the inclusive scan at the last of them, which alone knows it.
template <class T>
struct LanePlace {
  T total;
  unsigned rank;
  unsigned count;

  bool is_first() const { return rank == 0; }
  bool is_last() const { return rank + 1 == count; }
};

/// In: what the lane brings; out: its result.
template <class T>
struct LaneOperand : GroupArgument {
  T value;
};

template <class T>
struct PlacedOperand : LaneOperand<T> {
  LanePlace<T> place;
};

template <class T>
struct LaneOutcome {
  T value;
  LanePlace<T> place;
};

/// A lane's copy of what all lanes bring.
struct LaneSheet : GroupArgument {
  const void* own;
  void* all;
  unsigned rank;
  unsigned count;
};

/// What a lane offers to all, if it is the one that does.
struct LaneOffer : GroupArgument {
  void* value;
  bool offers;
};

template <Form kForm, class Group, class T, class Op, class Operand>
inline void complete_known(const Meeting& meeting) {
  constexpr unsigned kRoom = kRoomOf<Group>;
  const Ranks<Operand, kRoom> lanes(meeting);
  const unsigned count = lanes.count();
  T values[kRoom];
  for (unsigned rank = 0; rank < count; ++rank) values[rank] = lanes[rank].value;
  if constexpr (kForm == Form::reduction) {
    reduce_all<kRoom, kWholeSize<Group>>(values, count, Op());
  } else {
    scan_all(values, count, Op());
  }
  if constexpr (std::is_same_v<Operand, PlacedOperand<T>>) {
    for (unsigned rank = 0; rank < count; ++rank) lanes[rank].place = {values[count - 1], rank, count};
  }
  if constexpr (kForm == Form::exclusive) {
    make_exclusive<Op>(values, count, [&](unsigned rank) { return lanes[rank].value; });
  }
  for (unsigned rank = 0; rank < count; ++rank) lanes[rank].value = values[rank];
}

template <class Group, class T>
inline void hand_out(const Meeting& meeting) {
  constexpr unsigned kRoom = kRoomOf<Group>;
  const Ranks<LaneSheet, kRoom> lanes(meeting);
  const unsigned count = lanes.count();
  std::byte all[kRoom * sizeof(T)] = {};
  for (unsigned rank = 0; rank < count; ++rank) __builtin_memcpy(all + rank * sizeof(T), lanes[rank].own, sizeof(T));
  for (unsigned rank = 0; rank < count; ++rank) {
    // All the room, so that the size is known; what is beyond the count is never read.
    __builtin_memcpy(lanes[rank].all, all, sizeof all);
    lanes[rank].rank = rank;
    lanes[rank].count = count;
  }
}

template <class T>
inline void pass_on(const Meeting& meeting) {
  const Ranks<LaneOffer, warpfiber::detail::kMaxWarpSize> lanes(meeting);
  unsigned from = 0;
  while (from + 1 < lanes.count() && !lanes[from].offers) ++from;
  for (unsigned rank = 0; rank < lanes.count(); ++rank) {
    if (rank != from) __builtin_memcpy(lanes[rank].value, lanes[from].value, sizeof(T));
  }
}

template <Form kForm, class Group, class T, class Op, class Operand>
inline constexpr Collective kKnownCollective{
    .name = name_of(kForm), .complete = complete_known<kForm, Group, T, Op, Operand>, .group = true};

template <Form kForm, class Group, class T>
inline constexpr Collective kHandOut{.name = name_of(kForm), .complete = hand_out<Group, T>, .group = true};

template <class T>
inline constexpr Collective kPassOn{.name = "cg::scan_update()", .complete = pass_on<T>, .group = true};

/// The result where there is one lane.
template <Form kForm, class T>
inline T alone([[maybe_unused]] const T& value) {
  if constexpr (kForm != Form::exclusive) {
    return value;
  } else {
    return T{};
  }
}

/// Meets the others; the values of all lanes are then in `sheet`.
template <Form kForm, class Group, class T, unsigned kRoom>
inline WARPFIBER_INLINED LaneSheet share(const Group& group, const T& value, Sheet<T, kRoom>& sheet, Site site) {
  const T own = value;
  LaneSheet argument{{{site}, nullptr}, &own, sheet.bytes, 0, 0};
  warp_collective(kHandOut<kForm, Group, T>, group, &argument);
  return argument;
}

/// The result of the lane that has the sheet. The values are used up.
template <Form kForm, class Group, class T, class Op>
inline T own_result(const LaneSheet& shared, T* values, Op& op) {
  if constexpr (kForm == Form::reduction) {
    return own_reduction<kWholeSize<Group>>(values, shared.count, shared.rank, op);
  } else if constexpr (kForm == Form::inclusive) {
    return own_scan(values, shared.rank, op);
  } else {
    return shared.rank == 0 ? T{} : own_scan(values, shared.rank - 1, op);
  }
}

#ifdef WARPFIBER_REGIONS

/// The kind of a reduction that a word holds.
template <class T, class Op>
constexpr int region_reduction() {
  using warpfiber::detail::RegionReduction;
  if constexpr (kOrderless<T, Op> && sizeof(T) == sizeof(unsigned)) {
    switch (kOperation<Op>) {
      case Known::sum: return static_cast<int>(RegionReduction::add);
      case Known::conjunction: return static_cast<int>(RegionReduction::bit_and);
      case Known::disjunction: return static_cast<int>(RegionReduction::bit_or);
      case Known::difference: return static_cast<int>(RegionReduction::bit_xor);
      case Known::smallest:
        return static_cast<int>(std::is_signed_v<T> ? RegionReduction::min_signed : RegionReduction::min_unsigned);
      case Known::largest:
        return static_cast<int>(std::is_signed_v<T> ? RegionReduction::max_signed : RegionReduction::max_unsigned);
      default: break;
    }
  }
  return -1;
}

/// What the thread of rank `rank` of the tile brings.
template <unsigned kThreads, class T>
inline WARPFIBER_INLINED T region_value(const T& value, unsigned rank) {
  using namespace warpfiber::detail;
  const unsigned lane = (region_lane() & ~(kThreads - 1)) + rank;
  return from_bits<T>(region_bits<sizeof(T)>(kEveryRegionLane, kThreads, to_bits(value), lane));
}

/// The inclusive scan at the place of the thread among those of its tile that are there.
template <unsigned kThreads, class T, class Op>
inline WARPFIBER_INLINED T region_scan(T value, unsigned ranks, unsigned rank, Op& op) {
  const unsigned count = count_lanes(ranks);
  const unsigned place = count_lanes(ranks & ((1U << rank) - 1));
  for (unsigned i = 1; i < count; i *= 2) {
    const T met = region_value<kThreads>(value, place >= i ? lane_of_rank(ranks, place - i) : rank);
    if (place >= i) value = op(value, met);
  }
  return value;
}

/// The result of a thread of a tile, in the order of evaluate.hpp, where each thread evaluates its own.
template <Form kForm, unsigned kThreads, class T, class Op>
inline WARPFIBER_INLINED T region_result(const T& brought, Op& op) {
  using namespace warpfiber::detail;
  constexpr int kReduction = region_reduction<T, std::remove_const_t<Op>>();
  if constexpr (kForm == Form::reduction && kReduction >= 0) {
    constexpr auto kKind = static_cast<unsigned>(kReduction);
    return from_bits<T>(
        warpfiber_regions_reduce(kEveryRegionLane, kThreads, kKind, static_cast<unsigned>(to_bits(brought))));
  } else {
    const unsigned rank = block::thread_rank() % kThreads;
    const unsigned ranks = region_tile_ballot<kThreads>(true);
    if constexpr (kForm == Form::reduction) {
      if (ranks == kEveryRank<kThreads>) {
        T value = brought;
#pragma GCC unroll 5
        for (unsigned m = kThreads / 2; m > 0; m /= 2) value = op(value, region_value<kThreads>(value, rank ^ m));
        return value;
      }
    }
    const T scanned = region_scan<kThreads>(brought, ranks, rank, op);
    if constexpr (kForm == Form::inclusive) return scanned;
    if constexpr (kForm == Form::reduction) {
      return region_value<kThreads>(scanned, 31U - static_cast<unsigned>(__builtin_clz(ranks)));
    }
    const unsigned below = ranks & ((1U << rank) - 1);
    const T before =
        region_value<kThreads>(scanned, below != 0 ? 31U - static_cast<unsigned>(__builtin_clz(below)) : rank);
    return below != 0 ? before : T{};
  }
}

#endif

/// The caller's result of a reduction or scan.
template <Form kForm, class Group, class T, class Op>
inline WARPFIBER_INLINED T lane_result(const Group& group, const T& value, Op& op, Site site) {
  using Functor = std::remove_const_t<Op>;
  if constexpr (kTileSize<Group> == 1) {
    return alone<kForm>(value);
#ifdef WARPFIBER_REGIONS
  } else if constexpr (kTileSize<Group> != 0 && sizeof(T) <= sizeof(std::uint64_t) && !std::is_same_v<T, bool>) {
    return region_result<kForm, kTileSize<Group>>(value, op);
#endif
  } else if constexpr (kKnown<T, Functor>) {
    LaneOperand<T> operand{{{site}, nullptr}, value};
    warp_collective(kKnownCollective<kForm, Group, T, Functor, LaneOperand<T>>, group, &operand);
    return operand.value;
  } else {
    Sheet<T, kRoomOf<Group>> sheet;
    const LaneSheet shared = share<kForm>(group, value, sheet, site);
    return own_result<kForm, Group>(shared, sheet.values(), op);
  }
}

/// The same, and where the caller is among the lanes that came.
template <Form kForm, class Group, class T, class Op>
inline WARPFIBER_INLINED LaneOutcome<T> placed_result(const Group& group, const T& value, Op& op, Site site) {
  using Functor = std::remove_const_t<Op>;
  if constexpr (kTileSize<Group> == 1) {
    return {alone<kForm>(value), {value, 0, 1}};
  } else if constexpr (kKnown<T, Functor>) {
    PlacedOperand<T> operand{{{{site}, nullptr}, value}, {value, 0, 1}};
    warp_collective(kKnownCollective<kForm, Group, T, Functor, PlacedOperand<T>>, group, &operand);
    return {operand.value, operand.place};
  } else {
    Sheet<T, kRoomOf<Group>> sheet;
    const LaneSheet shared = share<kForm>(group, value, sheet, site);
    LanePlace<T> place{value, shared.rank, shared.count};
    if (kForm != Form::reduction && place.is_last()) {
      Sheet<T, kRoomOf<Group>> copy = sheet;
      place.total = own_scan(copy.values(), shared.rank, op);
    }
    return {own_result<kForm, Group>(shared, sheet.values(), op), place};
  }
}

/// `value` as the lane that offers has it, for all lanes. Exactly one offers.
template <class Group, class T>
inline WARPFIBER_INLINED T taken_from(bool offers, const Group& group, T value, Site site) {
  if constexpr (kTileSize<Group> != 1) {
    LaneOffer offer{{{site}, nullptr}, &value, offers};
    warp_collective(kPassOn<T>, group, &offer);
  }
  return value;
}

}  // namespace details
}  // namespace __v1
}  // namespace cooperative_groups
