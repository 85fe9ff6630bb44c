// SPDX-License-Identifier: Apache-2.0
// What lanes hand to the warp collectives and how they get at the result. The functions that compute results are in
// src/machine/collectives.cpp; they see all lanes' operands at once and know nothing of fibers.
#pragma once

#include <warpfiber/detail/region_lanes.hpp>
#include <warpfiber/detail/wait.hpp>

#include <bit>
#include <concepts>
#include <type_traits>

namespace warpfiber {

/// A set of lanes as CUDA's functions return it: 32 bits, or 64 in programs compiled for wider warps.
#ifdef WARPFIBER_WIDE_WARPS
using LaneBits = unsigned long long;
#else
using LaneBits = unsigned;
#endif

namespace detail {

// Operands of a call, and its result: of an intrinsic (Base is LaneArgument) or of a group's member (GroupArgument).

template <class Base>
struct ShuffleOperands : Base {
  std::uint64_t value;  // in: what this lane offers; out: what it gets
  int operand;
  int width;
  bool absent = false;  // out: the lane that the value was to come from does not take part
};

/// Shuffles of values that do not fit a word: each lane takes from the memory of another.
struct CopyArgument : GroupArgument {
  const void* value;
  void* result;  // elsewhere
  unsigned size;
  unsigned source;  // lane
};

template <class Base>
struct VoteOperands : Base {
  std::uint64_t value;  // in: 0 or 1; out: the verdict, or the ballot
};

template <class Base>
struct MatchOperands : Base {
  std::uint64_t value;  // in: the bits compared; out: the lanes that match
};

/// labeled_partition(): the lanes with the caller's label, and the rank of their group among all in the order of the
/// groups' lowest lanes.
struct LabelArgument : GroupArgument {
  std::uint64_t value;  // in: the label; out: the lanes that have it
  unsigned rank;
  unsigned groups;
};

/// Calls in which all lanes have to bring the same number.
struct AgreeArgument : GroupArgument {
  std::uint64_t value;
  bool agree;  // out
};

/// invoke_one(): which lane.
struct ElectArgument : GroupArgument {
  unsigned leader;
};

using ShuffleArgument = ShuffleOperands<LaneArgument>;
using GroupShuffleArgument = ShuffleOperands<GroupArgument>;
using VoteArgument = VoteOperands<LaneArgument>;
using GroupVoteArgument = VoteOperands<GroupArgument>;
using MatchArgument = MatchOperands<LaneArgument>;
using GroupMatchArgument = MatchOperands<GroupArgument>;

struct ReduceArgument : LaneArgument {
  unsigned value;
};

struct ConvergeArgument : LaneArgument {
  std::uint64_t lanes;  // out: who stands here together
};

extern const Collective kSyncWarp, kShuffle, kShuffleUp, kShuffleDown, kShuffleXor;
extern const Collective kVoteAll, kVoteAny, kVoteUniform, kBallot, kMatchAny, kMatchAll;
extern const Collective kReduceAdd, kReduceAnd, kReduceOr, kReduceXor;
extern const Collective kReduceMinUnsigned, kReduceMinSigned, kReduceMaxUnsigned, kReduceMaxSigned;
// Of a warp that comes to a barrier of its block that has a number (named_barrier.hpp).
extern const Collective kNamedSync, kNamedArrive, kNamedReduce;
// Members of cooperative groups that fit a warp, and functions that take such a group.
// kTileSync is kGroupSync of lanes whose arguments are plain LaneArguments: one store less a wait.
extern const Collective kTileSync, kGroupSync, kGroupShuffle, kGroupShuffleUp, kGroupShuffleDown, kGroupShuffleXor;
extern const Collective kGroupCopy, kGroupCopyUp, kGroupCopyDown, kGroupCopyXor;
extern const Collective kGroupAll, kGroupAny, kGroupBallot, kGroupMatchAny, kGroupMatchAll;
extern const Collective kBinaryPartition, kLabeledPartition, kTiledPartition, kStridePartition, kInvokeOne;

/// The mask of a call that names none: every live lane.
inline constexpr LaneBits kEveryLane = ~LaneBits{0};

template <class T>
inline std::uint64_t to_bits(T value) {
  static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= 8,
                "shuffles take trivially copyable types of up to 8 bytes");
  std::uint64_t bits = 0;
  __builtin_memcpy(&bits, &value, sizeof(T));
  return bits;
}

template <class T>
inline T from_bits(std::uint64_t bits) {
  struct Bytes {
    unsigned char bytes[sizeof(T)];
  } value;
  __builtin_memcpy(&value, &bits, sizeof(T));
  return std::bit_cast<T>(value);  // T need not have a default constructor
}

/// How a shuffle names the lane that a value comes from.
enum class ShuffleBy { index, up, down, exclusive_or };

template <ShuffleBy kBy, class Base>
inline WARPFIBER_INLINED const Collective& shuffle_collective() {
  if constexpr (std::is_same_v<Base, GroupArgument>) {
    if constexpr (kBy == ShuffleBy::up) return kGroupShuffleUp;
    if constexpr (kBy == ShuffleBy::down) return kGroupShuffleDown;
    if constexpr (kBy == ShuffleBy::exclusive_or) return kGroupShuffleXor;
    return kGroupShuffle;
  }
  if constexpr (kBy == ShuffleBy::up) return kShuffleUp;
  if constexpr (kBy == ShuffleBy::down) return kShuffleDown;
  if constexpr (kBy == ShuffleBy::exclusive_or) return kShuffleXor;
  return kShuffle;
}

/// The width of a shuffle that names none; the formula below says the same of it.
inline constexpr int kWholeWarp = 0;

/// Which lane `lane` takes its value from, as the PTX ISA defines shfl.sync: a segment mask cuts the warp into groups,
/// and a source outside the group means that the lane keeps its own value. Operands count modulo the warp size.
/// `top` is the highest lane number that can be named.
template <ShuffleBy kBy>
inline WARPFIBER_INLINED unsigned shuffle_source(unsigned lane, int operand, int width, int warp_size, unsigned top) {
  const bool whole = width == kWholeWarp || width == warp_size;
  const unsigned segment = whole ? 0 : (top + 1 - static_cast<unsigned>(width)) & top;
  const unsigned by = static_cast<unsigned>(operand) & top;
  if constexpr (kBy == ShuffleBy::up) {
    return static_cast<int>(lane - by) >= static_cast<int>(lane & segment) ? lane - by : lane;
  }
  unsigned source = (lane & segment) | (by & ~segment);
  if constexpr (kBy == ShuffleBy::down) source = lane + by;
  if constexpr (kBy == ShuffleBy::exclusive_or) source = lane ^ by;
  return source <= ((lane & segment) | (top & ~segment)) ? source : lane;
}

/// Where the group was made whose member is called; line 0 for static tiles and intrinsics.
inline Site origin_of(const LaneArgument&) {
  return {};
}
inline Site origin_of(const GroupArgument& at) {
  return at.origin != nullptr ? *at.origin : Site{};
}

/// Whether the running lane of the convoy comes to the shuffle that its lanes are expected at. The first lane says
/// which.
template <class Base>
inline WARPFIBER_INLINED bool is_expected(Convoy& convoy, const Fiber* self, const Collective& kind, std::uint64_t mask,
                                          const Base& at) {
  const Site site = at.site;
  if (WARPFIBER_UNLIKELY(convoy.mask != mask)) return false;
  const Site& expected = convoy.place.site;
  if (WARPFIBER_LIKELY(convoy.kind == &kind) && WARPFIBER_LIKELY(expected.file == site.file) &&
      WARPFIBER_LIKELY(expected.line == site.line && expected.column == site.column)) {
    return true;
  }
  if (self != convoy.first || mask == 0) return false;
  convoy.kind = &kind;
  convoy.place.site = site;
  convoy.origin = origin_of(at);
  return true;
}

/// The lane behind the running one; the first again, with the row for another round, if there may be one. Else null.
inline WARPFIBER_INLINED Fiber* next_in_convoy(CurrentThread& current, Convoy& convoy, const Fiber* self) {
  Fiber* next = self->next;
  if (WARPFIBER_LIKELY(next != nullptr)) return next;
  if (convoy.rounds == 0) return nullptr;
  --convoy.rounds;
  ++current.progress;
  std::uint64_t* offered = convoy.offered;
  convoy.offered = convoy.offered_next;
  convoy.offered_next = offered;
  return convoy.first;
}

/// `at` says where the call is, and for a group's member (Base is GroupArgument) where the group was made.
template <ShuffleBy kBy, class Named, class T, std::derived_from<LaneArgument> Base>
inline WARPFIBER_INLINED T shuffle(const Named& named, T value, int operand, int width, const Base& at) {
#ifdef WARPFIBER_REGIONS
  if constexpr (kRegionLanes<Named, Base>) {
    const unsigned source = shuffle_source<kBy>(region_lane(), operand, width, kRegionWarp, kRegionWarp - 1);
    return from_bits<T>(region_bits<sizeof(T)>(region_mask(named), region_threads<Named>(), to_bits(value), source));
  }
#endif
  const Collective& kind = shuffle_collective<kBy, Base>();
#ifdef WARPFIBER_INLINE_WAITS
  CurrentThread& current = here();
  current.busy = true;  // a preemption would end the convoy
  if (Convoy* convoy = current.convoy; WARPFIBER_LIKELY(convoy != nullptr)) {
    Fiber* self = current.fiber;
    if (WARPFIBER_LIKELY(is_expected(*convoy, self, kind, lanes_at(named, self->lane), at))) {
      std::uint64_t* offered = convoy->offered;
      if (Fiber* next = next_in_convoy(current, *convoy, self); WARPFIBER_LIKELY(next != nullptr)) {
        const unsigned lane = self->lane;
        offered[lane] = to_bits(value);
        unsigned source = shuffle_source<kBy>(lane, operand, width, kConvoyLanes, kConvoyLanes - 1);
        asm("" : "+r"(source));  // chosen without a branch, which the lanes at the edge would take otherwise
        const std::uint64_t* taken = &offered[source];
        asm("" : "+r"(taken));  // one word to keep
        current.fiber = next;
        __builtin_memcpy(&threadIdx, &next->thread_index, __builtin_offsetof(uint3, z));
        switch_stack(self, next);
        clear_busy();
        return from_bits<T>(*taken);
      }
    }
  }
#endif
#ifdef WARPFIBER_CHECKED
  const unsigned rank = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  const unsigned lane_here = rank % static_cast<unsigned>(warpSize);
  const unsigned top = std::bit_ceil(static_cast<unsigned>(warpSize)) - 1;
  const unsigned taken_from = shuffle_source<kBy>(lane_here, operand, width, warpSize, top);
  const std::uint64_t lanes_named = lanes_here(named);
  checked_offer(checked_kind<T>, to_bits(value));
  const bool foreign = taken_from != lane_here && (lanes_named >> taken_from & 1) == 0;
  const unsigned call = foreign ? checked_foreign_lane(lanes_named, taken_from, kBy == ShuffleBy::index) : 0;
#endif
  ShuffleOperands<Base> argument{at, to_bits(value), operand, width};
  detail::warp_collective(kind, named, &argument);  // not what is found for the sake of `named`
#ifdef WARPFIBER_CHECKED
  // A lane of the mask that has returned brings what it does on a device; that is reported where the lane was meant.
  if (argument.absent && !foreign) checked_foreign_lane(lanes_named, taken_from, kBy == ShuffleBy::index);
  if (foreign) {
    argument.value = checked_foreign_value(call, checked_kind<T>, to_bits(value), argument.value);
  } else {
    checked_receive(checked_kind<T>, to_bits(value), argument.value);
  }
#endif
  return from_bits<T>(argument.value);
}

template <ShuffleBy kBy, class T>
inline WARPFIBER_INLINED T shuffle(std::uint64_t mask, T value, int operand, int width, Site site) {
  return shuffle<kBy>(mask, value, operand, width, LaneArgument{site});
}

template <class Base>
inline WARPFIBER_INLINED std::uint64_t vote(const Collective& kind, std::uint64_t mask, bool predicate,
                                            const Base& at) {
  VoteOperands<Base> argument{at, predicate};
  warp_collective(kind, mask, &argument);
  return argument.value;
}

inline WARPFIBER_INLINED std::uint64_t vote(const Collective& kind, std::uint64_t mask, bool predicate,
                                            [[maybe_unused]] Site site) {
#ifdef WARPFIBER_REGIONS
  return region_vote(kind, mask, predicate);
#else
  return vote(kind, mask, predicate, LaneArgument{site});
#endif
}

template <class T, class Base>
inline std::uint64_t match(const Collective& kind, std::uint64_t mask, T value, int* predicate, const Base& at) {
#ifdef WARPFIBER_REGIONS
  if constexpr (std::is_same_v<Base, LaneArgument>) {
    const unsigned lanes = region_match(kind, mask, to_bits(value));
    if (predicate != nullptr) *predicate = lanes != 0;
    return lanes;
  }
#endif
  MatchOperands<Base> argument{at, to_bits(value)};
  warp_collective(kind, mask, &argument);
  if (predicate != nullptr) *predicate = argument.value != 0;
  return argument.value;
}

template <class T>
inline std::uint64_t match(const Collective& kind, std::uint64_t mask, T value, int* predicate, Site site) {
  return match(kind, mask, value, predicate, LaneArgument{site});
}

inline unsigned reduce_word(const Collective& kind, std::uint64_t mask, unsigned value, [[maybe_unused]] Site site) {
#ifdef WARPFIBER_REGIONS
  return region_reduce(kind, mask, value);
#else
  ReduceArgument argument{{site}, value};
  warp_collective(kind, mask, &argument);
  return argument.value;
#endif
}

/// What a lane brings to a call that has no mask, apart from the operands of the collective.
struct MasklessCall {
  const std::uint64_t* taken = nullptr;  // where the value of a shuffle is, unless the engine says another place
  unsigned source = 0;                   // of a shuffle: the lane in a warp of kConvoyLanes that the value comes from
  std::uint64_t lanes = 0;               // out: the mask of the collective to arrive at, where no switch was returned
};

/// Meets the lanes that stand at the call together, as converged_lanes() finds them, at `collective`.
WARPFIBER_NO_MERGE Switch arrive_maskless(const Collective& collective, LaneArgument* operands, MasklessCall* call);

/// `operands` hold the result then, or `call` says where it is.
inline WARPFIBER_INLINED void meet_maskless(const Collective& collective, LaneArgument* operands, MasklessCall* call) {
  Switch decided = arrive_maskless(collective, operands, call);
  if (WARPFIBER_UNLIKELY(decided.from == nullptr)) decided = arrive_at_collective(collective, call->lanes, operands);
  leave(decided);
  clear_busy();
}

/// Lanes that stand at `site` together when nothing else in the caller's warp can run.
WARPFIBER_NO_MERGE std::uint64_t converged_lanes(Site site);
/// The same, and what each of them hands over is written to standard output, in the order of the lanes, before any goes
/// on.
WARPFIBER_NO_MERGE void print_together(Site site, const char* text, std::size_t size);
WARPFIBER_NO_MERGE Switch arrive_at_step(Site site);

/// A shuffle of the lanes that stand at the call together.
template <ShuffleBy kBy, class T>
inline WARPFIBER_INLINED T shuffle_maskless(T value, int operand, int width, Site site) {
#ifdef WARPFIBER_CHECKED
  return shuffle<kBy>(converged_lanes(site), value, operand, width, site);
#else
  ShuffleArgument argument{{site}, to_bits(value), operand, width};
  MasklessCall call;
  call.taken = &argument.value;
  const Fiber* self = current_thread.fiber;
  const unsigned lane = self != nullptr ? self->lane : 0;  // null outside a kernel, which the engine reports
  call.source = shuffle_source<kBy>(lane, operand, width, kConvoyLanes, kConvoyLanes - 1);
  meet_maskless(shuffle_collective<kBy, LaneArgument>(), &argument, &call);
  return from_bits<T>(*call.taken);
#endif
}

inline WARPFIBER_INLINED std::uint64_t vote_maskless(const Collective& kind, bool predicate, Site site) {
#ifdef WARPFIBER_CHECKED
  return vote(kind, converged_lanes(site), predicate, site);
#else
  VoteArgument argument{{site}, predicate};
  MasklessCall call;
  meet_maskless(kind, &argument, &call);
  return argument.value;
#endif
}

/// Lets the other lanes of the caller's warp come to their own step, or as far as they get: those that wait elsewhere,
/// or spin, are not waited for. Orders nothing for the checker.
inline WARPFIBER_UNCHECKED void step_with_warp(Site site) {
  leave(arrive_at_step(site));
  clear_busy();
  // What a lane reads through volatile between two steps are no polls: it is not left behind as one that spins.
  current_thread.polls_left = kPollsBeforeYield;
}

inline unsigned thread_rank() {
  return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
}
inline unsigned lane_id() {
  return thread_rank() % static_cast<unsigned>(warpSize);
}
inline LaneBits full_warp() {
  return static_cast<LaneBits>(~std::uint64_t{0} >> (kMaxWarpSize - static_cast<unsigned>(warpSize)));
}

}  // namespace detail
}  // namespace warpfiber
