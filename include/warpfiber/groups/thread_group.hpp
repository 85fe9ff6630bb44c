// SPDX-License-Identifier: Apache-2.0
// cooperative_groups::thread_group, the handle that every group but a tile above 32 converts to, and what all groups
// are made of. Source: CUDA C++ Programming Guide, "Cooperative Groups"; CUDA 13.0's headers for types and tags.
//
// For collectives of other headers (reduce, scan, memcpy_async), the same words for every group, in `details`:
//   lane_mask_of(g)     the lanes that are members: coalesced_group, tiles of up to 32 threads, thread_group of those
//   origin_of(g)        where g was made, for GroupArgument::origin; null where the engine knows it (static tiles)
//   first_thread_of(g)  rank in the block of the first member: thread_block, tiles above 32, which are `g.size()`
//   threads kFitsWarp<G>        G is a coalesced_group or a tile of up to 32 kLargeTile<G>       G is a tile above 32
//   warp_collective(collective, g, argument)  meets the other members; `argument` derives from detail::GroupArgument,
//                       whose `site` the caller has set, and `collective.group` is true
//
// Functions that wait take the place of their call as a last argument, which is no part of CUDA's types. So that
// `void (*f)() = &cg::thread_block::sync` holds here too, each also has a template without the place, whose result
// nothing but such a type determines: calls never find it. Where no type asks, two functions are one too many: the
// static sync() is therefore an object (StaticSync), for `auto f = &cg::thread_block::sync`.
#pragma once

#include <warpfiber/cuda/thread_scope.hpp>
#include <warpfiber/detail/group.hpp>
#include <warpfiber/groups/coordinates.hpp>

#include <concepts>
#include <utility>

namespace cooperative_groups {
inline namespace __v1 {

class thread_group;

namespace details {

inline constexpr unsigned coalesced_group_id = 1;
inline constexpr unsigned multi_grid_group_id = 2;
inline constexpr unsigned grid_group_id = 3;
inline constexpr unsigned thread_block_id = 4;
inline constexpr unsigned multi_tile_group_id = 5;
inline constexpr unsigned cluster_group_id = 6;

using warpfiber::LaneBits;
using warpfiber::Site;

template <class Group>
inline constexpr bool kFitsWarp = false;
template <class Group>
inline constexpr bool kLargeTile = false;

struct GroupAccess;
struct CoalescedAccess;
struct TileAccess;

/// Waits for `lanes`, members of a group that was made at `origin`.
inline WARPFIBER_INLINED void sync_lanes(LaneBits lanes, const Site* origin, Site site) {
  warpfiber::detail::GroupArgument argument{{site}, origin};
  warpfiber::detail::warp_collective(warpfiber::detail::kCollectiveOf<warpfiber::detail::Operation::group_sync>, lanes,
                                     &argument);
}

/// A static sync(), which Wait::at() does: given the place of the call. Its address is that of a function without.
template <class Wait>
struct StaticSync {
  WARPFIBER_INLINED void operator()(Site site = Site::here()) const { Wait::at(site); }
  constexpr auto operator&() const -> void (*)() { return &call; }

 private:
  static void call() { Wait::at(Site{}); }
};

}  // namespace details

/// Any group of threads, of a kind that is known at run time: a copy of the group that it was made from, or what a
/// dynamic tiled_partition() of a block gives. No shuffles and no votes. Not assignable.
class thread_group {
 public:
  static constexpr ::cuda::thread_scope thread_scope = ::cuda::thread_scope_device;

  thread_group(const thread_group&) = default;

  /// Threads of the group.
  unsigned long long size() const {
    switch (data_.type) {
      case details::coalesced_group_id: return data_.size;
      case details::thread_block_id: return details::block::num_threads();
      case details::cluster_group_id: return details::cluster::num_threads();
#ifndef WARPFIBER_STRICT_CUDA
      case details::grid_group_id: return details::grid::num_threads();
      case details::multi_grid_group_id: return details::multi_grid::num_threads();
#endif
      default: return 0;
    }
  }

  /// Rank of the calling thread, from 0.
  unsigned long long thread_rank() const {
    switch (data_.type) {
      case details::coalesced_group_id: return rank_in_mask();
      case details::thread_block_id: return details::block::thread_rank();
      case details::cluster_group_id: return details::cluster::thread_rank();
#ifndef WARPFIBER_STRICT_CUDA
      case details::grid_group_id: return details::grid::thread_rank();
      case details::multi_grid_group_id: return details::multi_grid::thread_rank();
#endif
      default: return 0;
    }
  }

  /// Waits for all threads of the group; each of them has to call it.
  void sync(warpfiber::Site site = warpfiber::Site::here()) const {
    switch (data_.type) {
      case details::coalesced_group_id: return details::sync_lanes(data_.mask, &data_.origin, site);
      case details::thread_block_id: return warpfiber::detail::block_barrier(site);
      case details::cluster_group_id: return warpfiber::sync_cluster(site);
#ifndef WARPFIBER_STRICT_CUDA
      case details::grid_group_id: return warpfiber::detail::grid_barrier(site);
      case details::multi_grid_group_id: return warpfiber::sync_multi_grid(site);
#endif
      default: return;
    }
  }
  template <std::same_as<void> Result>
  Result sync() const {
    sync(warpfiber::Site{});
  }

  /// NVIDIA's number of the kind of group: 1 for tiles and coalesced groups, 2 for several grids, 3 for the grid, 4 for
  /// the block, 6 for the cluster.
  unsigned get_type() const {
    return data_.type;
  }

#ifndef WARPFIBER_STRICT_CUDA
  /// size(). CUDA 13.0 declares it and does not define it.
  unsigned long long num_threads() const {
    return size();
  }
  /// thread_rank(), as the guide's examples spell it.
  unsigned long long rank() const {
    return thread_rank();
  }
  /// CUDA 9's question whether the group may be used.
  bool is_valid() const {
    return size() != 0;
  }
#endif

 protected:
  struct Data {
    unsigned char type;
    unsigned size;             // what follows: of groups within a warp
    details::LaneBits mask;    // members
    unsigned meta_group_rank;  // of this group among those that the partition made
    unsigned meta_group_size;  // how many those are
    warpfiber::Site origin;    // line 0: the engine knows it
  };

  explicit thread_group(const Data& data) : data_(data) {}
  thread_group& operator=(const thread_group&) = delete;

  unsigned rank_in_mask() const {
    const details::LaneBits below = (details::LaneBits{1} << details::block::lane()) - 1;
    return static_cast<unsigned>(__builtin_popcountll(data_.mask & below));
  }

  Data data_;

  friend struct details::GroupAccess;
};

namespace details {

template <unsigned kId>
struct thread_group_base : thread_group {
  static constexpr unsigned id = kId;

 protected:
  explicit thread_group_base(Site origin) : thread_group(Data{kId, 0, 0, 0, 1, origin}) {}
  explicit thread_group_base(const thread_group::Data& data) : thread_group(data) {}
};

struct GroupAccess {
  using Data = thread_group::Data;
  static const Data& data(const thread_group& group) { return group.data_; }
  static thread_group make(const Data& data) { return thread_group(data); }
};

inline LaneBits lane_mask_of(const thread_group& group) {
  return GroupAccess::data(group).mask;
}
inline const Site* origin_of(const thread_group& group) {
  return &GroupAccess::data(group).origin;
}

/// Meets the other members of `group`, which fits a warp; on return `*argument` holds the caller's result.
template <class Group>
inline WARPFIBER_INLINED void warp_collective(const warpfiber::detail::Collective& collective, const Group& group,
                                              warpfiber::detail::GroupArgument* argument) {
  argument->origin = origin_of(group);
  warpfiber::detail::warp_collective(collective, lane_mask_of(group), argument);
}

}  // namespace details

// For any group: the members as functions.

/// Waits for all threads of `group`; each of them has to call it.
template <class Group>
inline WARPFIBER_INLINED void sync(const Group& group, warpfiber::Site site = warpfiber::Site::here()) {
  group.sync(site);
}
template <class Group, std::same_as<void> Result>
Result sync(const Group& group) {
  group.sync(warpfiber::Site{});
}

/// Rank of the calling thread in `group`.
template <class Group>
auto thread_rank(const Group& group) -> decltype(group.thread_rank()) {
  return group.thread_rank();
}

/// Threads of `group`.
template <class Group>
auto group_size(const Group& group) -> decltype(group.num_threads()) {
  return group.num_threads();
}

#ifndef WARPFIBER_STRICT_CUDA
/// sync(), as CUDA 9's first release candidates had it.
template <class Group>
inline WARPFIBER_INLINED void synchronize(const Group& group, warpfiber::Site site = warpfiber::Site::here()) {
  group.sync(site);
}
#endif

}  // namespace __v1
}  // namespace cooperative_groups
