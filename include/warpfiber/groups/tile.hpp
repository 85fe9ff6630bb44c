// SPDX-License-Identifier: Apache-2.0
// cooperative_groups::thread_block_tile of up to 32 threads, and what all tiles share.
// Source: CUDA C++ Programming Guide, "Thread Block Tile"; CUDA 13.0's headers for bases and conversions.
#pragma once

#include <warpfiber/groups/lanes.hpp>
#include <warpfiber/groups/thread_block.hpp>

namespace cooperative_groups {
inline namespace __v1 {

template <unsigned Size, class Parent = void>
class thread_block_tile;

namespace details {

constexpr bool is_power_of_two(unsigned number) {
  return number != 0 && (number & (number - 1)) == 0;
}

/// What follows from the number of threads alone.
template <unsigned Size>
class SizedTile {
 public:
  static constexpr ::cuda::thread_scope thread_scope = ::cuda::thread_scope_block;

  static unsigned thread_rank() { return block::thread_rank() & (Size - 1); }
  static constexpr unsigned num_threads() { return Size; }
  static constexpr unsigned size() { return Size; }

#ifndef WARPFIBER_STRICT_CUDA
  static unsigned rank() {
    return thread_rank();
  }
  static constexpr bool is_valid() {
    return true;
  }
#endif
};

/// Rank among the tiles that the direct parent was cut into, and how many those are.
template <unsigned Size, class Parent>
class TileOfParent {
 public:
  static unsigned meta_group_rank() { return Parent::thread_rank() / Size; }
  static unsigned meta_group_size() { return (Parent::size() + Size - 1) / Size; }
};

/// The lanes of a tile, which its own lane says.
template <unsigned Size>
struct TileLanes {
  static constexpr unsigned kThreads = Size;
  static constexpr LaneBits kFirst = (LaneBits{2} << (Size - 1)) - 1;

  static WARPFIBER_INLINED LaneBits at([[maybe_unused]] unsigned lane) {
    if constexpr (kIsWarp) {
      return kFirst;
    } else {
      return kFirst << (lane & ~(Size - 1));
    }
  }
  static WARPFIBER_INLINED LaneBits here() {
    if constexpr (kIsWarp) {
      return kFirst;
    } else {
      return at(block::lane());
    }
  }

 private:
  static constexpr bool kIsWarp = Size == sizeof(LaneBits) * 8;
};

template <unsigned Size>
struct TileWait {
  static WARPFIBER_INLINED void at([[maybe_unused]] Site site) {
    if constexpr (Size > 1) {
      warpfiber::detail::lane_barrier<warpfiber::detail::Operation::tile_sync>(TileLanes<Size>{}, site);
    }
  }
};

template <unsigned kThreads>
inline constexpr unsigned kEveryRank = ~0U >> (32 - kThreads);

/// The ranks of the caller's tile that the operation names as lanes.
template <Operation kOperation, unsigned kThreads, class Word>
inline WARPFIBER_INLINED unsigned ranks_by(Word operand, Site site) {
  const std::uint64_t found =
      warpfiber::detail::collect<kOperation>(TileLanes<kThreads>{}, operand, GroupArgument{{site}});
  if constexpr (kThreads == 8 * sizeof(LaneBits)) {
    return static_cast<unsigned>(found);
  } else {
    return static_cast<unsigned>(found >> (block::lane() & ~(kThreads - 1))) & kEveryRank<kThreads>;
  }
}

/// Members that wait wait for all threads of the tile; a thread of it that is elsewhere ends the launch with
/// `cg-misuse`.
template <unsigned Size>
class WarpTile : public SizedTile<Size> {
  static_assert(is_power_of_two(Size) && Size <= 32,
                "a tile has 1, 2, 4, 8, 16, 32, 64, 128, 256, 512 or 1024 threads");

 public:
  static constexpr unsigned _group_id = coalesced_group_id;

  static constexpr StaticSync<TileWait<Size>> sync{};

  /// The value of the thread of rank `source` modulo the size.
  template <class Value, class T = Shuffled<Value>>
  WARPFIBER_INLINED T shfl(Value&& value, int source, Site site = Site::here()) const {
    note_rank(source, Size);
    return shuffle<Formula::index, T>(TileLanes<Size>{}, value, source, kWidth, {{site}});
  }
  /// The value of the thread `delta` ranks above; the caller's own where there is none.
  template <class Value, class T = Shuffled<Value>>
  WARPFIBER_INLINED T shfl_down(Value&& value, unsigned delta, Site site = Site::here()) const {
    return shuffle<Formula::down, T>(TileLanes<Size>{}, value, static_cast<int>(delta), kWidth, {{site}});
  }
  /// The value of the thread `delta` ranks below; the caller's own where there is none.
  template <class Value, class T = Shuffled<Value>>
  WARPFIBER_INLINED T shfl_up(Value&& value, unsigned delta, Site site = Site::here()) const {
    return shuffle<Formula::up, T>(TileLanes<Size>{}, value, static_cast<int>(delta), kWidth, {{site}});
  }
  /// The value of the thread whose rank is the caller's, bitwise exclusive-or `ranks`.
  template <class Value, class T = Shuffled<Value>>
  WARPFIBER_INLINED T shfl_xor(Value&& value, unsigned ranks, Site site = Site::here()) const {
    return shuffle<Formula::exclusive_or, T>(TileLanes<Size>{}, value, static_cast<int>(ranks), kWidth, {{site}});
  }

  /// Nonzero if the predicate holds for some thread, for every thread.
  int any(int predicate, Site site = Site::here()) const {
    return ranks_by<Operation::group_any, Size>(predicate != 0, site) != 0;
  }
  int all(int predicate, Site site = Site::here()) const {
    return ranks_by<Operation::group_all, Size>(predicate != 0, site) == kEveryRank<Size>;
  }
  /// Bit r is set if the predicate holds for the thread of rank r.
  unsigned ballot(int predicate, Site site = Site::here()) const {
    return ranks_by<Operation::group_ballot, Size>(predicate != 0, site);
  }
  /// The ranks whose value has the same bits as the caller's.
  template <class T>
  unsigned match_any(T value, Site site = Site::here()) const {
    require_match_type<T>();
    return ranks_by<Operation::group_match_any, Size>(warpfiber::detail::to_bits(value), site);
  }
  /// All ranks if all values have the same bits, else 0; `predicate` says which.
  template <class T>
  unsigned match_all(T value, int& predicate, Site site = Site::here()) const {
    require_match_type<T>();
    const unsigned ranks = ranks_by<Operation::group_match_all, Size>(warpfiber::detail::to_bits(value), site);
    predicate = ranks != 0;
    return ranks;
  }

  // For their addresses (see thread_group.hpp).
  template <std::same_as<int> Result>
  Result any(int predicate) const {
    return any(predicate, Site{});
  }
  template <std::same_as<int> Result>
  Result all(int predicate) const {
    return all(predicate, Site{});
  }
  template <std::same_as<unsigned> Result>
  Result ballot(int predicate) const {
    return ballot(predicate, Site{});
  }

 protected:
#ifdef WARPFIBER_WIDE_WARPS
  static constexpr int kWidth = Size;
#else
  static constexpr int kWidth = Size == 32 ? warpfiber::detail::kWholeWarp : static_cast<int>(Size);
#endif

  static WARPFIBER_INLINED LaneBits lanes() {
    return TileLanes<Size>::here();
  }

  friend struct TileAccess;
};

template <unsigned Size, class Parent>
class SmallTile : public WarpTile<Size>, public TileOfParent<Size, Parent> {
 protected:
  explicit SmallTile(const Parent&, Site) {}
};

/// Knows its parent no more, so it remembers its rank among its kind.
template <unsigned Size>
class SmallTile<Size, void> : public WarpTile<Size>, public thread_group_base<coalesced_group_id> {
 public:
  using WarpTile<Size>::sync;
  using WarpTile<Size>::size;
  using WarpTile<Size>::num_threads;
  using WarpTile<Size>::thread_rank;
#ifndef WARPFIBER_STRICT_CUDA
  using WarpTile<Size>::thread_scope;  // CUDA 13.0 leaves it ambiguous
  using WarpTile<Size>::rank;
  using WarpTile<Size>::is_valid;
#endif

  unsigned meta_group_rank() const {
    return this->data_.meta_group_rank;
  }
  unsigned meta_group_size() const {
    return this->data_.meta_group_size;
  }

 protected:
  template <class Tile>
  explicit SmallTile(const Tile& tile)
      : thread_group_base<coalesced_group_id>(thread_group::Data{
            coalesced_group_id, Size, WarpTile<Size>::lanes(), tile.meta_group_rank(), tile.meta_group_size(), {}}) {}
};

/// What this_thread() is one of: itself.
struct Alone {
  static constexpr unsigned meta_group_rank() { return 0; }
  static constexpr unsigned meta_group_size() { return 1; }
};

/// Keeps where tiles of up to 32 threads were made, for reports: objects of their type hold nothing.
template <unsigned Size>
inline void note_tiles([[maybe_unused]] Site site) {
  if constexpr (warpfiber::detail::kRunsAsRegions) return;
  constexpr unsigned kPlace = static_cast<unsigned>(__builtin_ctz(Size));
  warpfiber::detail::Block& block = *warpfiber::detail::current_thread.block;
  warpfiber::detail::TilesMade& made = block.tiles_made[kPlace];
  const bool here = made.site.line == site.line && made.site.column == site.column && made.site.file == site.file;
  if (WARPFIBER_UNLIKELY(made.serial != block.serial)) {
    made = {site, block.serial, false, {}};
  } else if (WARPFIBER_UNLIKELY(!here || made.elsewhere)) {
    return warpfiber::detail::note_tile(kPlace, site);
  }
  const unsigned rank = block::thread_rank();
  made.threads[rank / 64] |= std::uint64_t{1} << rank % 64;
}

/// A tile has to lie in one warp.
template <unsigned Size>
inline void check_tile([[maybe_unused]] Site site) {
  if (warpfiber::detail::kRunsAsRegions) return;  // their warps have 32 lanes
  if (WARPFIBER_LIKELY(static_cast<unsigned>(warpSize) % Size == 0)) return;
  warpfiber::detail::misuse(site, "tiled_partition()", warpfiber::detail::GroupMisuse::tile_not_within_warp);
}

}  // namespace details
}  // namespace __v1
}  // namespace cooperative_groups
