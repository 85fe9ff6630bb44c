// SPDX-License-Identifier: Apache-2.0
// What lanes hand to the warp collectives and how they get at the result. The functions that compute results are in
// src/machine/collectives.cpp; they see all lanes' operands at once and know nothing of fibers.
#pragma once

#include <warpfiber/detail/wait.hpp>

#include <type_traits>

namespace warpfiber {

/// A set of lanes as CUDA's functions return it: 32 bits, or 64 in programs compiled for wider warps.
#ifdef WARPFIBER_WIDE_WARPS
using LaneBits = unsigned long long;
#else
using LaneBits = unsigned;
#endif

namespace detail {

struct ShuffleArgument : LaneArgument {
  std::uint64_t value;  // in: what this lane offers; out: what it gets
  int operand;
  int width;
};

struct VoteArgument : LaneArgument {
  std::uint64_t value;  // in: 0 or 1; out: the verdict, or the ballot
};

struct MatchArgument : LaneArgument {
  std::uint64_t value;  // in: the bits compared; out: the lanes that match
};

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
  T value;
  __builtin_memcpy(&value, &bits, sizeof(T));
  return value;
}

template <class T>
inline __attribute__((always_inline)) T shuffle(const Collective& kind, std::uint64_t mask, T value, int operand,
                                                int width, Site site) {
  ShuffleArgument argument{{site}, to_bits(value), operand, width};
  warp_collective(kind, mask, &argument);
  return from_bits<T>(argument.value);
}

inline __attribute__((always_inline)) std::uint64_t vote(const Collective& kind, std::uint64_t mask, bool predicate,
                                                         Site site) {
  VoteArgument argument{{site}, predicate};
  warp_collective(kind, mask, &argument);
  return argument.value;
}

template <class T>
inline std::uint64_t match(const Collective& kind, std::uint64_t mask, T value, int* predicate, Site site) {
  MatchArgument argument{{site}, to_bits(value)};
  warp_collective(kind, mask, &argument);
  if (predicate != nullptr) *predicate = argument.value != 0;
  return argument.value;
}

inline unsigned reduce_word(const Collective& kind, std::uint64_t mask, unsigned value, Site site) {
  ReduceArgument argument{{site}, value};
  warp_collective(kind, mask, &argument);
  return argument.value;
}

/// Lanes that stand at `site` together when nothing else in the caller's warp can run.
std::uint64_t converged_lanes(Site site);

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
