// SPDX-License-Identifier: Apache-2.0
// What lanes hand to the collectives and how they get at the result, whichever way their kernel runs; the functions by
// which they meet are in lanes/. The functions that compute results are in src/models/machine/collectives.cpp; they see
// all lanes' operands at once and know nothing of fibers.
#pragma once

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

/// Votes, matches and reductions: in: the predicate, 0 or 1, the bits compared, or a number; out: the result.
template <class Base>
struct WordOperand : Base {
  std::uint64_t value;
};

/// Shuffles of values that do not fit a word: each lane takes from the memory of another.
struct CopyArgument : GroupArgument {
  const void* value;
  void* result;  // elsewhere
  unsigned size;
  unsigned source;  // lane
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

struct ConvergeArgument : LaneArgument {
  std::uint64_t lanes;  // out: who stands here together
};

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

/// The shuffle of an intrinsic, or of a group's member.
template <Formula kFormula, class Base>
inline constexpr Operation kShuffleOf = shuffle_by(kFormula, std::is_same_v<Base, GroupArgument>
                                                                 ? Operation::group_shuffle
                                                                 : Operation::shuffle);

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
