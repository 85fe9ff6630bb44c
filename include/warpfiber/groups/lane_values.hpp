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
inline constexpr Collective kKnownCollective = collective_of(operation_of(kForm),
                                                             complete_known<kForm, Group, T, Op, Operand>);

template <Form kForm, class Group, class T>
inline constexpr Collective kHandOut = collective_of(operation_of(kForm), hand_out<Group, T>);

template <class T>
inline constexpr Collective kPassOn = collective_of(Operation::group_scan_update, pass_on<T>);

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

// Tiles of regions, where no code of the user runs at a meeting: each thread evaluates its own result.

/// Whether a reduction is an operation of the table.
template <class T, class Op>
inline constexpr bool kTabled =
    kOrderless<T, Op> &&
    (sizeof(T) == sizeof(unsigned) || sizeof(T) == sizeof(std::uint64_t)) && kOperation<Op> != Known::product;

template <class T, class Op>
constexpr Operation reduction_of() {
  switch (kOperation<Op>) {
    case Known::conjunction: return Operation::reduce_and;
    case Known::disjunction: return Operation::reduce_or;
    case Known::difference: return Operation::reduce_xor;
    case Known::smallest: return std::is_signed_v<T> ? Operation::reduce_min_signed : Operation::reduce_min_unsigned;
    case Known::largest: return std::is_signed_v<T> ? Operation::reduce_max_signed : Operation::reduce_max_unsigned;
    default: return Operation::reduce_add;
  }
}

/// What the thread of rank `rank` of the tile brings.
template <unsigned kThreads, class T>
inline WARPFIBER_INLINED T value_at(const T& value, unsigned rank, Site site) {
  return warpfiber::detail::shuffle<Formula::index>(TileLanes<kThreads>{}, value, static_cast<int>(rank),
                                                    static_cast<int>(kThreads), GroupArgument{{site}});
}

/// The inclusive scan at the place of the thread among those of its tile that are there.
template <unsigned kThreads, class T, class Op>
inline WARPFIBER_INLINED T scan_by_shuffles(T value, unsigned ranks, unsigned rank, Op& op, Site site) {
  const unsigned count = count_lanes(ranks);
  const unsigned place = count_lanes(ranks & ((1U << rank) - 1));
  for (unsigned i = 1; i < count; i *= 2) {
    const T met = value_at<kThreads>(value, place >= i ? lane_of_rank(ranks, place - i) : rank, site);
    if (place >= i) value = op(value, met);
  }
  return value;
}

/// The result of a thread of a tile, in the order of evaluate.hpp, where each thread evaluates its own.
template <Form kForm, unsigned kThreads, class T, class Op>
inline WARPFIBER_INLINED T result_by_shuffles(const T& brought, Op& op, Site site) {
  using Functor = std::remove_const_t<Op>;
  if constexpr (kForm == Form::reduction && kTabled<T, Functor>) {
    using Word = std::conditional_t<sizeof(T) == sizeof(unsigned), unsigned, std::uint64_t>;
    const auto word = static_cast<Word>(warpfiber::detail::to_bits(brought));
    return warpfiber::detail::from_bits<T>(
        warpfiber::detail::collect<reduction_of<T, Functor>()>(TileLanes<kThreads>{}, word, GroupArgument{{site}}));
  } else {
    const unsigned rank = block::thread_rank() % kThreads;
    const unsigned ranks = ranks_by<Operation::group_ballot, kThreads>(true, site);
    if constexpr (kForm == Form::reduction) {
      if (ranks == kEveryRank<kThreads>) {
        T value = brought;
#pragma GCC unroll 5
        for (unsigned m = kThreads / 2; m > 0; m /= 2) value = op(value, value_at<kThreads>(value, rank ^ m, site));
        return value;
      }
    }
    const T scanned = scan_by_shuffles<kThreads>(brought, ranks, rank, op, site);
    if constexpr (kForm == Form::inclusive) return scanned;
    if constexpr (kForm == Form::reduction) {
      return value_at<kThreads>(scanned, 31U - static_cast<unsigned>(__builtin_clz(ranks)), site);
    }
    const unsigned below = ranks & ((1U << rank) - 1);
    const unsigned last_below = below != 0 ? 31U - static_cast<unsigned>(__builtin_clz(below)) : rank;
    const T before = value_at<kThreads>(scanned, last_below, site);
    return below != 0 ? before : T{};
  }
}

/// The caller's result of a reduction or scan.
template <Form kForm, class Group, class T, class Op>
inline WARPFIBER_INLINED T lane_result(const Group& group, const T& value, Op& op, Site site) {
  using Functor = std::remove_const_t<Op>;
  if constexpr (kTileSize<Group> == 1) {
    return alone<kForm>(value);
  } else if constexpr (warpfiber::detail::kRunsAsRegions && kTileSize<Group> != 0 && !std::is_same_v<T, bool>) {
    return result_by_shuffles<kForm, kTileSize<Group>>(value, op, site);
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
