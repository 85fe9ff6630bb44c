// SPDX-License-Identifier: Apache-2.0
// Partitions of groups: tiled_partition() in its static and dynamic forms, binary_partition(),
// labeled_partition(). All threads of the parent have to execute the call. Those whose pieces follow from ranks alone
// do not wait; the others synchronise once. Source: CUDA C++ Programming Guide, "Group Partition"; CUDA 13.0's headers
// for meta ranks.
#pragma once

#include <warpfiber/groups/coalesced_group.hpp>
#include <warpfiber/groups/large_tile.hpp>
#include <warpfiber/groups/uniform.hpp>

namespace cooperative_groups {
inline namespace __v1 {
namespace details {

/// Parents that static tiles are made of.
template <unsigned Size, class Parent>
struct StaticPartition {
  static constexpr bool kAllowed = false;
};

template <unsigned Size>
struct StaticPartition<Size, thread_block> {
  static constexpr bool kAllowed = true;
};

template <unsigned Size, unsigned ParentSize, class Grandparent>
struct StaticPartition<Size, thread_block_tile<ParentSize, Grandparent>> {
  static_assert(Size < ParentSize, "a tile is smaller than the tile that it is a part of");
  static constexpr bool kAllowed = true;
};

#ifdef _CG_DEBUG
/// All threads of a parent have to execute its partition. Where that follows from ranks alone no thread waits for the
/// others, so a call by only some of them is noticed only by this.
inline constexpr GroupCollective kMadeByAll{"tiled_partition()", [](const GroupMeeting&) {}};

template <class Parent>
void meet_parent(const Parent& parent, Site site) {
  if constexpr (kFitsWarp<Parent>) {
    warpfiber::detail::AgreeArgument argument{{{site}}, 0, true};
    warp_collective(warpfiber::detail::kCollectiveOf<Operation::tiled_partition>, parent, &argument);
  } else {
    GroupPart part{site,    parent.thread_rank(), nullptr,
                   nullptr, origin_of(parent),    std::is_same_v<Parent, thread_block>};
    warpfiber::detail::meet(first_thread_of(parent), parent.size(), kMadeByAll, &part);
  }
}
#else
template <class Parent>
WARPFIBER_INLINED inline void meet_parent(const Parent&, Site) {}
#endif

/// Dynamic pieces have 1, 2, 4 … 32 threads; a device traps at other sizes.
inline void check_piece(unsigned threads, Site site) {
  if (WARPFIBER_LIKELY(is_power_of_two(threads) && threads <= 32)) return;
  warpfiber::detail::misuse(site, "tiled_partition()", warpfiber::detail::GroupMisuse::tile_size_not_supported);
}

/// All members pass the same number, or the launch ends.
inline void agree_on(const warpfiber::detail::Collective& collective, const coalesced_group& group, unsigned number,
                     warpfiber::detail::GroupMisuse otherwise, Site site) {
  warpfiber::detail::AgreeArgument argument{{{site}}, number, true};
  warp_collective(collective, group, &argument);
  if (WARPFIBER_LIKELY(argument.agree)) return;
  warpfiber::detail::misuse(site, collective.name, otherwise);
}

/// Ranks first … first+count-1 of `lanes`.
inline LaneBits piece_of(LaneBits lanes, unsigned first, unsigned count) {
  for (; first != 0; --first) lanes &= lanes - 1;
  LaneBits rest = lanes;
  for (; count != 0; --count) rest &= rest - 1;
  return lanes & ~rest;
}

constexpr unsigned smaller_of(unsigned first, unsigned second) {
  return first < second ? first : second;
}

inline coalesced_group cut(const coalesced_group& parent, unsigned threads, Site site) {
  const unsigned size = parent.size();
  if (size <= threads) return parent;
  const unsigned piece = parent.thread_rank() / threads;
  const unsigned first = piece * threads;
  const LaneBits lanes = piece_of(lane_mask_of(parent), first, smaller_of(threads, size - first));
  return CoalescedAccess::make(lanes, piece, (size + threads - 1) / threads, site);
}

/// A piece of a block: neighbours within a warp.
inline thread_group cut_block(unsigned threads, Site site) {
  warpfiber::detail::note_uniform_call({}, {warpfiber::detail::UniformCall::cut, site, nullptr, nullptr, threads});
  const unsigned size = block::num_threads();
  const unsigned piece = block::thread_rank() / threads;
  const unsigned count = smaller_of(threads, size - piece * threads);
  const LaneBits lanes = (~LaneBits{0} >> (sizeof(LaneBits) * 8 - count)) << (block::lane() & ~(threads - 1));
  return GroupAccess::make({coalesced_group_id, count, lanes, piece, (size + threads - 1) / threads, site});
}

template <class Group>
coalesced_group split(const Group& parent, bool predicate, Site site) {
  using namespace warpfiber::detail;
  const LaneBits all = lane_mask_of(parent);
  const auto set = static_cast<LaneBits>(warpfiber::detail::collect<Operation::binary_partition>(
      all, predicate, GroupArgument{{site}, origin_of(parent)}));
  if (set == 0 || set == all) return CoalescedAccess::make(all, 0, 1, site);
  return CoalescedAccess::make(predicate ? set : all & ~set, predicate, 2, site);
}

template <class Group, class Label>
coalesced_group label(const Group& parent, Label label, Site site) {
  static_assert(std::is_integral_v<Label> || std::is_pointer_v<Label>, "labels are integers or pointers");
  if constexpr (std::is_same_v<Label, bool>) {
    return split(parent, label, site);
  } else {
    warpfiber::detail::LabelArgument argument{{{site}}, warpfiber::detail::to_bits(label), 0, 0};
    warp_collective(warpfiber::detail::kCollectiveOf<Operation::labeled_partition>, parent, &argument);
    return CoalescedAccess::make(static_cast<LaneBits>(argument.value), argument.rank, argument.groups, site);
  }
}

}  // namespace details

/// Tiles of Size threads with consecutive ranks: a power of two up to 1024, less than the parent's if that is a tile.
/// Collectives of tiles need a block whose size is a multiple of Size.
template <unsigned Size, class Parent>
inline WARPFIBER_INLINED thread_block_tile<Size, Parent> tiled_partition(
    const Parent& parent, warpfiber::Site site = warpfiber::Site::here()) {
  static_assert(details::StaticPartition<Size, Parent>::kAllowed, "static tiles are parts of a block or of a tile");
  if constexpr (Size <= 32) {
    details::check_tile<Size>(site);
    details::note_tiles<Size>(site);
  }
  details::meet_parent(parent, site);
  return details::TileAccess::make<Size>(parent, site);
}

/// Pieces of `threads` threads with consecutive ranks: 1, 2, 4 … 32, the last of them maybe fewer. Other sizes end the
/// launch with `cg-misuse` (cudaErrorLaunchFailure), where a device traps.
inline thread_group tiled_partition(const thread_block& parent, unsigned threads,
                                    warpfiber::Site site = warpfiber::Site::here()) {
  details::check_piece(threads, site);
  details::meet_parent(parent, site);
  return details::cut_block(threads, site);
}

/// The same of a coalesced group. A group that is no larger than a piece is returned as it is, with its meta rank.
inline coalesced_group tiled_partition(const coalesced_group& parent, unsigned threads,
                                       warpfiber::Site site = warpfiber::Site::here()) {
  details::check_piece(threads, site);
  details::agree_on(warpfiber::detail::kCollectiveOf<details::Operation::tiled_partition>, parent, threads,
                    warpfiber::detail::GroupMisuse::piece_sizes_differ, site);
  return details::cut(parent, threads, site);
}

/// The same of a thread_group that is a block, a tile of up to 32 threads or a coalesced group. Others are not cut.
inline thread_group tiled_partition(const thread_group& parent, unsigned threads,
                                    warpfiber::Site site = warpfiber::Site::here()) {
  switch (parent.get_type()) {
    case details::coalesced_group_id: return tiled_partition(details::CoalescedAccess::from(parent), threads, site);
    case details::thread_block_id: return tiled_partition(this_thread_block(site), threads, site);
    default: warpfiber::detail::misuse(site, "tiled_partition()", warpfiber::detail::GroupMisuse::grid_partitioned);
  }
}

/// The threads for which the predicate is the same as for the caller. If both occur, those where it holds have meta
/// rank 1 of 2, the others 0 of 2; else all are 0 of 1.
inline coalesced_group binary_partition(const coalesced_group& parent, bool predicate,
                                        warpfiber::Site site = warpfiber::Site::here()) {
  return details::split(parent, predicate, site);
}
template <unsigned Size, class Parent>
coalesced_group binary_partition(const thread_block_tile<Size, Parent>& parent, bool predicate,
                                 warpfiber::Site site = warpfiber::Site::here()) {
  static_assert(Size <= 32, "binary_partition() takes tiles of up to 32 threads");
  return details::split(parent, predicate, site);
}

/// The threads whose label, an integer or a pointer, is the caller's. Groups are ranked in the order of their lowest
/// lanes; a bool makes it a binary_partition().
template <class Label>
coalesced_group labeled_partition(const coalesced_group& parent, Label label,
                                  warpfiber::Site site = warpfiber::Site::here()) {
  return details::label(parent, label, site);
}
template <class Label, unsigned Size, class Parent>
coalesced_group labeled_partition(const thread_block_tile<Size, Parent>& parent, Label label,
                                  warpfiber::Site site = warpfiber::Site::here()) {
  static_assert(Size <= 32, "labeled_partition() takes tiles of up to 32 threads");
  return details::label(parent, label, site);
}

// For their addresses (see thread_group.hpp).
template <unsigned Size, class Parent, std::same_as<thread_block_tile<Size, Parent>> Tile>
Tile tiled_partition(const Parent& parent) {
  return tiled_partition<Size>(parent, warpfiber::Site{});
}
template <std::same_as<thread_group> Piece>
Piece tiled_partition(const thread_block& parent, unsigned threads) {
  return tiled_partition(parent, threads, warpfiber::Site{});
}
template <std::same_as<coalesced_group> Piece>
Piece tiled_partition(const coalesced_group& parent, unsigned threads) {
  return tiled_partition(parent, threads, warpfiber::Site{});
}
template <std::same_as<thread_group> Piece>
Piece tiled_partition(const thread_group& parent, unsigned threads) {
  return tiled_partition(parent, threads, warpfiber::Site{});
}
template <std::same_as<coalesced_group> Part>
Part binary_partition(const coalesced_group& parent, bool predicate) {
  return binary_partition(parent, predicate, warpfiber::Site{});
}
template <unsigned Size, class Parent, std::same_as<coalesced_group> Part>
Part binary_partition(const thread_block_tile<Size, Parent>& parent, bool predicate) {
  return binary_partition(parent, predicate, warpfiber::Site{});
}
template <class Label, std::same_as<coalesced_group> Part>
Part labeled_partition(const coalesced_group& parent, Label label) {
  return labeled_partition(parent, label, warpfiber::Site{});
}
template <class Label, unsigned Size, class Parent, std::same_as<coalesced_group> Part>
Part labeled_partition(const thread_block_tile<Size, Parent>& parent, Label label) {
  return labeled_partition(parent, label, warpfiber::Site{});
}

}  // namespace __v1
}  // namespace cooperative_groups
