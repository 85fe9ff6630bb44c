// SPDX-License-Identifier: Apache-2.0
// Shuffles, votes and matches among lanes that form a group: what tiles of up to 32 threads and coalesced groups share.
// `lanes` are the members, `at` says where the call is and where the group was made.
#pragma once

#include <warpfiber/groups/thread_group.hpp>

#include <cstring>
#include <type_traits>

struct __nv_bfloat162;

namespace cooperative_groups {
inline namespace __v1 {
namespace details {

using warpfiber::detail::Formula;
using warpfiber::detail::GroupArgument;
using warpfiber::detail::Operation;

/// What shuffles return of what they are given.
template <class T>
using Shuffled = std::remove_cv_t<std::remove_reference_t<T>>;

/// CUDA's __nv_bfloat162 has a copy constructor of its own, so CUDA's groups refuse it.
template <class T>
inline constexpr bool kRefusedByCuda = std::is_same_v<T, __nv_bfloat162>;

template <class T>
inline constexpr bool kTravels = std::is_trivially_copyable_v<T> && !kRefusedByCuda<T>;

template <class T>
constexpr void require_shuffle_type() {
  static_assert(kTravels<T>, "shuffles take trivially copyable types");
  static_assert(sizeof(T) <= 32, "shuffles take types of up to 32 bytes");
  static_assert(!std::is_same_v<T, long double>, "there is no shuffle of long double");
}

template <class T>
constexpr void require_match_type() {
  static_assert(std::is_integral_v<T> || std::is_floating_point_v<T>,
                "match_any() and match_all() compare integers and floating-point numbers");
}

/// Values of more than a word: each lane copies out of another's variable.
template <Formula kFormula, class T>
inline T copy_from(LaneBits lanes, const T& value, unsigned source, const GroupArgument& at) {
  using namespace warpfiber::detail;
  alignas(T) unsigned char result[sizeof(T)];
  CopyArgument argument{at, &value, result, sizeof(T), source};
  warpfiber::detail::warp_collective(kCollectiveOf<shuffle_by(kFormula, Operation::group_copy)>, lanes, &argument);
  T taken = value;
  std::memcpy(static_cast<void*>(&taken), result, sizeof(T));
  return taken;
}

/// A shuffle of the whole warp (`width` kWholeWarp) or of segments of `width` lanes.
template <Formula kFormula, class T, class Named>
inline WARPFIBER_INLINED T shuffle(const Named& named, const T& value, int operand, int width,
                                   const GroupArgument& at) {
  if constexpr (kTravels<T> && sizeof(T) <= warpfiber::detail::kMostShuffled<Named>) {
    return warpfiber::detail::shuffle<kFormula>(named, value, operand, width, at);
  } else {
    require_shuffle_type<T>();
    const unsigned top = static_cast<unsigned>(warpSize) - 1;
    const auto lanes = static_cast<LaneBits>(warpfiber::detail::lanes_here(named));
    return copy_from<kFormula>(
        lanes, value, warpfiber::detail::shuffle_source<kFormula>(block::lane(), operand, width, warpSize, top), at);
  }
}

/// A tile of `size` threads is asked for the value of `rank`: the checker gets reports of ranks that it does not have.
inline WARPFIBER_INLINED void note_rank([[maybe_unused]] int rank, [[maybe_unused]] unsigned size) {
  if (!warpfiber::detail::kHasHooks) return;
  if (WARPFIBER_UNLIKELY(static_cast<unsigned>(rank) >= size)) warpfiber::detail::checked_rank_beyond(rank, size);
}

/// The lane of rank `rank` among `lanes`, which has more members than that.
inline unsigned lane_of_rank(LaneBits lanes, unsigned rank) {
  const unsigned first = static_cast<unsigned>(__builtin_ctzll(lanes));
  const LaneBits shifted = lanes >> first;
  if ((shifted & (shifted + 1)) == 0) return first + rank;  // neighbours
  for (; rank != 0; --rank) lanes &= lanes - 1;
  return static_cast<unsigned>(__builtin_ctzll(lanes));
}

/// Bit r is set if `set` has the lane of rank r among `lanes`.
inline unsigned pack_lanes(LaneBits set, LaneBits lanes) {
  const unsigned first = static_cast<unsigned>(__builtin_ctzll(lanes));
  const LaneBits shifted = lanes >> first;
  if ((shifted & (shifted + 1)) == 0) return static_cast<unsigned>((set & lanes) >> first);
  unsigned packed = 0;
  for (unsigned rank = 0; lanes != 0; lanes &= lanes - 1, ++rank) {
    const LaneBits lane = lanes & (~lanes + 1);
    packed |= static_cast<unsigned>((set & lane) != 0) << rank;
  }
  return packed;
}

inline unsigned count_lanes(LaneBits lanes) {
  return static_cast<unsigned>(__builtin_popcountll(lanes));
}

inline int all_of(LaneBits lanes, int predicate, const GroupArgument& at) {
  using namespace warpfiber::detail;
  return static_cast<LaneBits>(collect<Operation::group_all>(lanes, predicate != 0, at)) == lanes;
}
inline int any_of(LaneBits lanes, int predicate, const GroupArgument& at) {
  using namespace warpfiber::detail;
  return collect<Operation::group_any>(lanes, predicate != 0, at) != 0;
}
inline unsigned ballot_of(LaneBits lanes, int predicate, const GroupArgument& at) {
  using namespace warpfiber::detail;
  return pack_lanes(static_cast<LaneBits>(collect<Operation::group_ballot>(lanes, predicate != 0, at)), lanes);
}
template <class T>
inline unsigned match_any_of(LaneBits lanes, T value, const GroupArgument& at) {
  require_match_type<T>();
  using namespace warpfiber::detail;
  return pack_lanes(static_cast<LaneBits>(collect<Operation::group_match_any>(lanes, to_bits(value), at)), lanes);
}
template <class T>
inline unsigned match_all_of(LaneBits lanes, T value, int& predicate, const GroupArgument& at) {
  require_match_type<T>();
  using namespace warpfiber::detail;
  const std::uint64_t matching = collect<Operation::group_match_all>(lanes, to_bits(value), at);
  predicate = matching != 0;
  return pack_lanes(static_cast<LaneBits>(matching), lanes);
}

}  // namespace details
}  // namespace __v1
}  // namespace cooperative_groups
