// SPDX-License-Identifier: Apache-2.0
// cooperative_groups::thread_block_tile of more than 32 threads: several whole warps of a block.
// Source: CUDA C++ Programming Guide, "Thread Block Tile"; CUDA 13.0's headers.
#pragma once

#include <warpfiber/groups/tile.hpp>

namespace cooperative_groups {
inline namespace __v1 {
namespace details {

using warpfiber::detail::GroupCollective;
using warpfiber::detail::GroupMeeting;
using warpfiber::detail::GroupPart;

template <class T>
constexpr void require_word() {
  static_assert(sizeof(T) <= 8, "collectives of tiles of more than 32 threads take types of up to 8 bytes");
}

/// A thread's part in shfl(): its own value and the rank it asks.
struct TileShuffle : GroupPart {
  std::uint64_t value;
  unsigned source;
  std::uint64_t result;
  bool agree;  // all ask the same rank
};

struct TileVote : GroupPart {
  bool predicate;
  unsigned set;  // threads whose predicate holds
};

inline void complete_tile_shuffle(const GroupMeeting& meeting) {
  const TileShuffle* any = nullptr;
  bool agree = true;
  for (unsigned rank = 0; rank < meeting.size; ++rank) {
    const auto* part = static_cast<const TileShuffle*>(meeting.parts[rank]);
    if (part == nullptr) continue;
    if (any == nullptr) any = part;
    agree = agree && part->source == any->source;
  }
  for (unsigned rank = 0; rank < meeting.size; ++rank) {
    auto* part = static_cast<TileShuffle*>(meeting.parts[rank]);
    if (part == nullptr) continue;
    part->agree = agree;
    const auto* source = static_cast<const TileShuffle*>(meeting.parts[part->source]);
    part->result = source != nullptr ? source->value : part->value;
  }
}

/// A vote counts whose predicate holds.
inline void count_predicates(const GroupMeeting& meeting) {
  unsigned set = 0;
  for (unsigned rank = 0; rank < meeting.size; ++rank) {
    const auto* part = static_cast<const TileVote*>(meeting.parts[rank]);
    if (part != nullptr) set += part->predicate;
  }
  for (unsigned rank = 0; rank < meeting.size; ++rank) {
    if (auto* part = static_cast<TileVote*>(meeting.parts[rank]); part != nullptr) part->set = set;
  }
}

inline constexpr GroupCollective kTileSync{"tile.sync()", [](const GroupMeeting&) {}};
inline constexpr GroupCollective kTileShuffle{"tile.shfl()", complete_tile_shuffle};
inline constexpr GroupCollective kTileAny{"tile.any()", count_predicates};
inline constexpr GroupCollective kTileAll{"tile.all()", count_predicates};

/// Members that wait wait for all threads of the tile.
template <unsigned Size>
class WideTile : public SizedTile<Size> {
  static_assert(is_power_of_two(Size) && Size > 32 && Size <= 1024,
                "tiles of more than 32 threads have 64, 128, 256, 512 or 1024");

 public:
  static constexpr unsigned _group_id = multi_tile_group_id;

  WideTile& operator=(const WideTile&) = delete;

  void sync(Site site = Site::here()) const {
    GroupPart part = part_at(site);
    warpfiber::detail::meet(first_thread(), Size, kTileSync, &part);
  }

  /// The value of the thread of rank `source`, which has to be the same in all threads. Otherwise, and where the tile
  /// has no such rank, the launch ends with `cg-misuse`.
  template <class T>
  T shfl(T value, unsigned source, Site site = Site::here()) const {
    require_word<T>();
    if (WARPFIBER_UNLIKELY(source >= Size)) {
      warpfiber::detail::misuse(site, "tile.shfl()", warpfiber::detail::GroupMisuse::source_not_in_tile);
    }
    TileShuffle part{part_at(site), 0, source, 0, true};
    __builtin_memcpy(&part.value, static_cast<const void*>(&value),
                     sizeof(T));  // CUDA's asks no more of T than its size
    warpfiber::detail::meet(first_thread(), Size, kTileShuffle, &part);
    if (WARPFIBER_UNLIKELY(!part.agree)) {
      warpfiber::detail::misuse(site, "tile.shfl()", warpfiber::detail::GroupMisuse::sources_differ);
    }
    __builtin_memcpy(static_cast<void*>(&value), &part.result, sizeof(T));
    return value;
  }

  /// Nonzero if the predicate holds for some thread, for every thread.
  int any(int predicate, Site site = Site::here()) const { return count(kTileAny, predicate, site) != 0; }
  int all(int predicate, Site site = Site::here()) const { return count(kTileAll, predicate, site) == Size; }

  // For their addresses (see thread_group.hpp).
  template <std::same_as<void> Result>
  Result sync() const {
    sync(Site{});
  }
  template <std::same_as<int> Result>
  Result any(int predicate) const {
    return any(predicate, Site{});
  }
  template <std::same_as<int> Result>
  Result all(int predicate) const {
    return all(predicate, Site{});
  }

 protected:
  explicit WideTile(Site origin) : origin_(origin) {}
  WideTile(const WideTile&) = default;

  static unsigned first_thread() { return block::thread_rank() & ~(Size - 1); }

  const Site origin_;

 private:
  GroupPart part_at(Site site) const { return {site, SizedTile<Size>::thread_rank(), nullptr, nullptr, &origin_}; }

  unsigned count(const GroupCollective& collective, int predicate, Site site) const {
    TileVote part{part_at(site), predicate != 0, 0};
    warpfiber::detail::meet(first_thread(), Size, collective, &part);
    return part.set;
  }

  friend struct TileAccess;
};

template <unsigned Size, class Parent>
class LargeTile : public WideTile<Size>, public TileOfParent<Size, Parent> {
 protected:
  explicit LargeTile(const Parent&, Site origin) : WideTile<Size>(origin) {}
};

/// Knows its parent no more, so it remembers its rank among its kind.
template <unsigned Size>
class LargeTile<Size, void> : public WideTile<Size> {
 public:
  unsigned meta_group_rank() const { return meta_group_rank_; }
  unsigned meta_group_size() const { return meta_group_size_; }

 protected:
  template <class Tile>
  explicit LargeTile(const Tile& tile)
      : WideTile<Size>(tile), meta_group_rank_(tile.meta_group_rank()), meta_group_size_(tile.meta_group_size()) {}

 private:
  const unsigned meta_group_rank_;
  const unsigned meta_group_size_;
};

template <unsigned Size, class Parent>
using TileBase = std::conditional_t<(Size > 32), LargeTile<Size, Parent>, SmallTile<Size, Parent>>;

}  // namespace details

/// Size threads with consecutive ranks of a block: 1, 2, 4 … 1024, made by tiled_partition<Size>(). It knows the type
/// of the group that it is a part of. It converts to thread_block_tile<Size>, which does not; with up to 32 threads
/// that is a thread_group.
template <unsigned Size, class Parent>
class thread_block_tile : public details::TileBase<Size, Parent> {
 public:
  operator thread_block_tile<Size, void>() const { return thread_block_tile<Size, void>(*this); }

 protected:
  thread_block_tile(const Parent& parent, warpfiber::Site origin) : details::TileBase<Size, Parent>(parent, origin) {}

  friend struct details::TileAccess;
};

template <unsigned Size>
class thread_block_tile<Size, void> : public details::TileBase<Size, void> {
 public:
  template <class Parent>
  thread_block_tile(const thread_block_tile<Size, Parent>& tile) : details::TileBase<Size, void>(tile) {}

 protected:
  explicit thread_block_tile(const details::Alone& thread) : details::TileBase<Size, void>(thread) {}

  friend thread_block_tile<1, void> this_thread(warpfiber::Site site);
};

/// The calling thread alone.
inline thread_block_tile<1, void> this_thread(warpfiber::Site site = warpfiber::Site::here()) {
  details::note_tiles<1>(site);
  return thread_block_tile<1, void>(details::Alone{});
}
template <std::same_as<thread_block_tile<1, void>> Tile>
Tile this_thread() {
  return this_thread(warpfiber::Site{});
}

namespace details {

template <unsigned Size, class Parent>
inline constexpr bool kFitsWarp<thread_block_tile<Size, Parent>> = Size <= 32;
template <unsigned Size, class Parent>
inline constexpr bool kLargeTile<thread_block_tile<Size, Parent>> = (Size > 32);

struct TileAccess {
  template <unsigned Size>
  static WARPFIBER_INLINED LaneBits lanes(const WarpTile<Size>&) {
    return WarpTile<Size>::lanes();
  }
  template <unsigned Size>
  static unsigned first_thread(const WideTile<Size>&) {
    return WideTile<Size>::first_thread();
  }
  template <unsigned Size>
  static const Site* origin(const WideTile<Size>& tile) {
    return &tile.origin_;
  }
  template <unsigned Size, class Parent>
  static thread_block_tile<Size, Parent> make(const Parent& parent, Site site) {
    return thread_block_tile<Size, Parent>(parent, site);
  }
};

template <unsigned Size, class Parent>
requires(Size <= 32) inline WARPFIBER_INLINED LaneBits lane_mask_of(const thread_block_tile<Size, Parent>& tile) {
  return TileAccess::lanes(tile);
}
template <unsigned Size, class Parent>
inline const Site* origin_of(const thread_block_tile<Size, Parent>& tile) {
  if constexpr (Size > 32) {
    return TileAccess::origin(tile);
  } else {
    return nullptr;
  }
}
template <unsigned Size, class Parent>
requires(Size > 32) inline unsigned first_thread_of(const thread_block_tile<Size, Parent>& tile) {
  return TileAccess::first_thread(tile);
}

}  // namespace details
}  // namespace __v1
}  // namespace cooperative_groups
