// SPDX-License-Identifier: Apache-2.0
// Meetings of lanes in kernels that a pass makes loops over threads (regions.hpp). Warps have 32 lanes there. Used by
// collective.hpp and the groups, under WARPFIBER_REGIONS only.
#pragma once

#include <warpfiber/detail/current_thread.hpp>
#include <warpfiber/detail/regions.hpp>

#include <cstdint>
#include <type_traits>

#ifdef WARPFIBER_REGIONS

namespace warpfiber::detail {

struct Collective;
struct LaneArgument;
extern const Collective kVoteAll, kVoteAny, kVoteUniform, kMatchAll;
extern const Collective kReduceAdd, kReduceAnd, kReduceOr, kReduceXor;
extern const Collective kReduceMinUnsigned, kReduceMinSigned, kReduceMaxUnsigned;

inline constexpr unsigned kRegionWarp = 32;
inline constexpr unsigned kEveryRegionLane = ~0U;

inline WARPFIBER_INLINED unsigned region_lane() {
  return (threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)) % kRegionWarp;
}

/// Whether a call of lanes that are named so is one of an intrinsic or of a static tile.
template <class Named, class Base>
inline constexpr bool kRegionLanes = !std::is_integral_v<Named> || std::is_same_v<Base, LaneArgument>;

template <class Named>
inline WARPFIBER_INLINED unsigned region_mask([[maybe_unused]] const Named& named) {
  if constexpr (std::is_integral_v<Named>) {
    return static_cast<unsigned>(named);
  } else {
    return kEveryRegionLane;
  }
}
template <class Named>
constexpr unsigned region_threads() {
  if constexpr (std::is_integral_v<Named>) {
    return kRegionWarp;
  } else {
    return Named::kThreads;
  }
}

/// The bits that lane `source` brings; `kBytes` of them count.
template <std::size_t kBytes>
inline WARPFIBER_INLINED std::uint64_t region_bits(unsigned mask, unsigned threads, std::uint64_t bits,
                                                   unsigned source) {
  if constexpr (kBytes <= sizeof(unsigned)) {
    return warpfiber_regions_shuffle32(mask, threads, static_cast<unsigned>(bits), source);
  } else {
    return warpfiber_regions_shuffle64(mask, threads, bits, source);
  }
}

// Compilers compute these: collectives have different addresses.

inline WARPFIBER_INLINED RegionVote region_vote_of(const Collective& kind) {
  if (&kind == &kVoteAll) return RegionVote::all;
  if (&kind == &kVoteAny) return RegionVote::any;
  return &kind == &kVoteUniform ? RegionVote::uniform : RegionVote::ballot;
}

inline WARPFIBER_INLINED RegionReduction region_reduction_of(const Collective& kind) {
  if (&kind == &kReduceAdd) return RegionReduction::add;
  if (&kind == &kReduceAnd) return RegionReduction::bit_and;
  if (&kind == &kReduceOr) return RegionReduction::bit_or;
  if (&kind == &kReduceXor) return RegionReduction::bit_xor;
  if (&kind == &kReduceMinUnsigned) return RegionReduction::min_unsigned;
  if (&kind == &kReduceMinSigned) return RegionReduction::min_signed;
  return &kind == &kReduceMaxUnsigned ? RegionReduction::max_unsigned : RegionReduction::max_signed;
}

inline WARPFIBER_INLINED unsigned region_vote(const Collective& kind, std::uint64_t mask, bool predicate) {
  return warpfiber_regions_vote(static_cast<unsigned>(mask), kRegionWarp, static_cast<unsigned>(region_vote_of(kind)),
                                predicate);
}

inline WARPFIBER_INLINED unsigned region_match(const Collective& kind, std::uint64_t mask, std::uint64_t bits) {
  if (&kind == &kMatchAll) return warpfiber_regions_match_all(static_cast<unsigned>(mask), kRegionWarp, bits);
  return warpfiber_regions_match_any(static_cast<unsigned>(mask), kRegionWarp, bits);
}

inline WARPFIBER_INLINED unsigned region_reduce(const Collective& kind, std::uint64_t mask, unsigned value) {
  return warpfiber_regions_reduce(static_cast<unsigned>(mask), kRegionWarp,
                                  static_cast<unsigned>(region_reduction_of(kind)), value);
}

/// Bits of the lanes of the calling thread's tile, by rank.
template <unsigned kThreads>
inline WARPFIBER_INLINED unsigned region_ranks(unsigned lanes) {
  if constexpr (kThreads == kRegionWarp) {
    return lanes;
  } else {
    return lanes >> (region_lane() & ~(kThreads - 1)) & ((1U << kThreads) - 1);
  }
}

/// The ranks of the tile whose predicate holds.
template <unsigned kThreads>
inline WARPFIBER_INLINED unsigned region_tile_ballot(bool predicate) {
  constexpr auto kKind = static_cast<unsigned>(RegionVote::ballot);
  return region_ranks<kThreads>(warpfiber_regions_vote(kEveryRegionLane, kThreads, kKind, predicate));
}

/// The ranks that bring the caller's bits; all ranks if all bring the same, else 0.
template <unsigned kThreads>
inline WARPFIBER_INLINED unsigned region_tile_match_any(std::uint64_t bits) {
  return region_ranks<kThreads>(warpfiber_regions_match_any(kEveryRegionLane, kThreads, bits));
}
template <unsigned kThreads>
inline WARPFIBER_INLINED unsigned region_tile_match_all(std::uint64_t bits) {
  return region_ranks<kThreads>(warpfiber_regions_match_all(kEveryRegionLane, kThreads, bits));
}

template <unsigned kThreads>
inline constexpr unsigned kEveryRank = ~0U >> (kRegionWarp - kThreads);

}  // namespace warpfiber::detail

#endif
