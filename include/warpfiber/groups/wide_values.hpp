// SPDX-License-Identifier: Apache-2.0
// Reductions and scans of clusters and grids, an extension: each block by itself (block_values.hpp); then one thread of
// each publishes the total to the other blocks, they meet at the barrier of the cluster or grid, and it combines the
// totals in the order of block ranks, upper operand first, for its block. A grid has to be launched cooperatively.
#pragma once

#include <warpfiber/detail/notice_board.hpp>
#include <warpfiber/groups/block_values.hpp>

namespace cooperative_groups {
inline namespace __v1 {
namespace details {

using warpfiber::detail::Notice;

/// The block as members of block_values.hpp take groups.
struct WholeBlock {
  static constexpr bool kIsBlock = true;
  static unsigned size() { return block::num_threads(); }
  static unsigned thread_rank() { return block::thread_rank(); }
};
/// The same threads on behalf of a cluster or grid, whose collective is none of the block's.
struct BlockOfSeveral : WholeBlock {
  static constexpr bool kIsBlock = false;
};
inline unsigned first_thread_of(const WholeBlock&) {
  return 0;
}

/// A group of blocks: how many they are, what their barrier is and where they exchange values.
struct BlocksOfCluster {
  static std::uint64_t count() { return cluster::num_blocks(); }
  static std::uint64_t rank() { return cluster::block_rank(); }
  static Notice& notice(std::uint64_t rank, Site site) {
    return warpfiber::detail::notice_in_cluster(static_cast<unsigned>(rank), site);
  }
  static WARPFIBER_INLINED void sync(Site site) { warpfiber::sync_cluster(site); }
};
struct BlocksOfGrid {
  static std::uint64_t count() { return grid::num_blocks(); }
  static std::uint64_t rank() { return grid::block_rank(); }
  static Notice& notice(std::uint64_t rank, Site site) { return warpfiber::detail::notice_in_grid(rank, site); }
  static WARPFIBER_INLINED void sync(Site site) { warpfiber::detail::grid_barrier(site); }
};

/// What block totals come to: of the blocks below the caller's (void in the first), and of all.
template <class T>
struct Combined {
  T below;
  T total;
  bool first;
  std::uint64_t last;  // rank of the last block that came
};

/// Publishes `value` to the other blocks if the calling thread `speaks`, as exactly one of each block does. That thread
/// may ask afterwards what the others have published, until it calls again.
template <class Blocks, class T>
class Exchange {
 public:
  WARPFIBER_INLINED Exchange(bool speaks, const T& value, Site site) : value_(value), site_(site) {
    if (speaks) {
      // A block that comes to the next call but one has seen all blocks at the barrier of the next, so they have read.
      Notice& mine = Blocks::notice(Blocks::rank(), site);
      __builtin_memcpy(mine.words[mine.turn % 2], &value, sizeof(T));
      turn_ = mine.turn + 1;
      __atomic_store_n(&mine.turn, turn_, __ATOMIC_RELAXED);
    }
    Blocks::sync(site);
  }

  /// Whether a block has published anything. One that has returned has not, and one that was faster may be at its next
  /// turn.
  bool came(std::uint64_t rank) const {
    return static_cast<int>(__atomic_load_n(&Blocks::notice(rank, site_).turn, __ATOMIC_RELAXED) - turn_) >= 0;
  }

  T word(std::uint64_t rank) const {
    T value = value_;
    __builtin_memcpy(static_cast<void*>(&value), Blocks::notice(rank, site_).words[(turn_ - 1) % 2], sizeof(T));
    return value;
  }

 private:
  const T& value_;
  const Site site_;
  unsigned turn_ = 0;
};

template <class Blocks, class T, class Op>
inline Combined<T> combine_words(const Exchange<Blocks, T>& exchange, const T& own, Op& op) {
  Combined<T> combined{own, own, true, 0};
  bool any = false;
  for (std::uint64_t rank = 0; rank < Blocks::count(); ++rank) {
    if (!exchange.came(rank)) continue;
    if (rank == Blocks::rank()) {
      combined.first = !any;
      combined.below = combined.total;
    }
    combined.total = any ? op(exchange.word(rank), combined.total) : exchange.word(rank);
    combined.last = rank;
    any = true;
  }
  return combined;
}

/// The thread that speaks for its block: the first one knows the reduction, the last one the scan.
template <Form kForm>
inline bool speaks_for_block(const BlockPlace& place) {
  return kForm == Form::reduction ? place.is_first() : place.is_last();
}

/// For every thread: what the blocks' totals come to.
template <Form kForm, class Blocks, class T, class Op>
inline Combined<T> combine(const BlockOutcome<T>& outcome, Op& op, Site site) {
  const bool speaks = speaks_for_block<kForm>(outcome.place);
  const T& brought = kForm == Form::reduction ? outcome.own : outcome.total;
  const Exchange<Blocks, T> exchange(speaks, brought, site);
  Combined<T> combined{brought, brought, true, 0};
  if (speaks) combined = combine_words(exchange, brought, op);
  return taken_in_block(speaks, BlockOfSeveral(), combined, site);
}

/// The caller's result of a scan, with `base` (if there is any) below the first thread of the block.
template <Form kForm, class T, class Op>
inline T result_above_base(const BlockOutcome<T>& outcome, const T* base, Op& op) {
  const bool first_part = outcome.place.part == 0;
  if (base == nullptr) return result_above<kForm>(outcome, outcome.below, first_part, op);
  return result_above<kForm>(outcome, first_part ? *base : op(outcome.below, *base), false, op);
}

template <Form kForm, class Blocks, class T, class Op>
inline T wide_result(Blocks, const T& value, Op& op, Site site) {
  const BlockOutcome<T> outcome = block_outcome<kForm>(BlockOfSeveral(), value, op, site);
  const Combined<T> combined = combine<kForm, Blocks>(outcome, op, site);
  if constexpr (kForm == Form::reduction) {
    return combined.total;
  } else {
    return result_above_base<kForm>(outcome, combined.first ? nullptr : &combined.below, op);
  }
}

/// The last thread of the last block hands the total to `bring`, which returns what was there before.
template <Form kForm, class Blocks, class T, class Op, class Bring>
inline T wide_scan_update(Blocks, const T& value, Op& op, Bring bring, Site site) {
  const BlockOutcome<T> outcome = block_outcome<kForm>(BlockOfSeveral(), value, op, site);
  const Combined<T> combined = combine<kForm, Blocks>(outcome, op, site);
  const bool speaks = speaks_for_block<kForm>(outcome.place);
  T old = value;
  if (speaks && Blocks::rank() == combined.last) old = bring(combined.total);
  const Exchange<Blocks, T> exchange(speaks, old, site);
  if (speaks) old = exchange.word(combined.last);
  old = taken_in_block(speaks, BlockOfSeveral(), old, site);
  const T base = combined.first ? old : op(combined.below, old);
  return result_above_base<kForm>(outcome, &base, op);
}

/// Hands the reduction to `take` in one thread.
template <class Blocks, class T, class Op, class Take>
inline void wide_reduce_to(Blocks, const T& value, Op& op, Take take, Site site) {
  const BlockOutcome<T> outcome = block_outcome<Form::reduction>(BlockOfSeveral(), value, op, site);
  const Combined<T> combined = combine<Form::reduction, Blocks>(outcome, op, site);
  if (combined.first && outcome.place.is_first()) take(combined.total);
}

}  // namespace details
}  // namespace __v1
}  // namespace cooperative_groups
