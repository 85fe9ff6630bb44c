// SPDX-License-Identifier: Apache-2.0
//
// The groups of every context in the same words: how large, who am I, meet, and where the memory of the thread of a
// rank lies. Device code.
#pragma once

#include <utility>

#include "tools/fuzz/kernel/thread_state.hpp"

namespace warpfiber::tools::fuzz {

/// Block, cluster or grid, whichever a node says.
struct WideGroup {
  Context scope;
};

/// Lanes of one warp that are all here.
struct LaneSet {
  unsigned mask;
};

template <class Group>
constexpr Context kContext = Context::dynamic;
template <>
constexpr Context kContext<cg::coalesced_group> = Context::coalesced;
template <>
constexpr Context kContext<LaneSet> = Context::lanes;
template <>
constexpr Context kContext<WideGroup> = Context::block;
template <unsigned kSize, class Parent>
constexpr Context kContext<cg::thread_block_tile<kSize, Parent>> = kSize > 32 ? Context::large_tile : Context::tile;

template <class Group>
constexpr unsigned kTileSize = 0;
template <unsigned kSize, class Parent>
constexpr unsigned kTileSize<cg::thread_block_tile<kSize, Parent>> = kSize;

template <class Group>
constexpr bool kHasShuffles = kContext<Group> == Context::tile || kContext<Group> == Context::coalesced;

// How large, and who am I.

template <class Group>
FUZZ_DEVICE unsigned size_of(const Group& group, const ThreadState&) {
  return unsigned(group.size());
}
FUZZ_DEVICE unsigned size_of(const LaneSet& lanes, const ThreadState&) {
  return unsigned(__popc(lanes.mask));
}
FUZZ_DEVICE unsigned size_of(const WideGroup& wide, const ThreadState&) {
  if (wide.scope == Context::block) return unsigned(cg::this_thread_block().size());
  return unsigned(wide.scope == Context::cluster ? cg::this_cluster().num_threads() : cg::this_grid().size());
}

template <class Group>
FUZZ_DEVICE unsigned rank_of(const Group& group, const ThreadState&) {
  return unsigned(group.thread_rank());
}
FUZZ_DEVICE unsigned rank_of(const LaneSet& lanes, const ThreadState& state) {
  return unsigned(__popc(lanes.mask & ((1u << state.lane()) - 1)));
}
FUZZ_DEVICE unsigned rank_of(const WideGroup& wide, const ThreadState&) {
  if (wide.scope == Context::block) return unsigned(cg::this_thread_block().thread_rank());
  return unsigned(wide.scope == Context::cluster ? cg::this_cluster().thread_rank() : cg::this_grid().thread_rank());
}

FUZZ_DEVICE std::uint64_t packed_place(unsigned size, unsigned rank, unsigned meta_size, unsigned meta_rank) {
  return std::uint64_t(size) << 48 | std::uint64_t(rank) << 32 | meta_size << 16 | meta_rank;
}

/// Everything that a group knows of itself, in 64 bits.
template <class Group>
FUZZ_DEVICE std::uint64_t place_of(const Group& group, const ThreadState& state) {
  unsigned meta_size = 0;
  unsigned meta_rank = 0;
  if constexpr (kHasShuffles<Group> || kContext<Group> == Context::large_tile) {
    meta_size = unsigned(group.meta_group_size());
    meta_rank = unsigned(group.meta_group_rank());
  }
  return packed_place(size_of(group, state), rank_of(group, state), meta_size, meta_rank);
}
FUZZ_DEVICE std::uint64_t place_of(const WideGroup& wide, const ThreadState& state) {
  const cg::grid_group grid = cg::this_grid();
  const unsigned size = size_of(wide, state);
  const unsigned rank = rank_of(wide, state);
  if (wide.scope == Context::grid)
    return packed_place(size, rank, unsigned(grid.num_blocks()), unsigned(grid.num_clusters()));
  if (wide.scope == Context::block)
    return packed_place(size, rank, unsigned(grid.num_blocks()), unsigned(grid.block_rank()));
  return packed_place(size, rank, unsigned(cg::this_cluster().num_blocks()), unsigned(cg::this_cluster().block_rank()));
}

// Meeting.

template <class Group>
FUZZ_DEVICE void meet_in_halves(const Group& group) {
  auto arrival = group.barrier_arrive();
  group.barrier_wait(std::move(arrival));
}

template <class Group>
FUZZ_DEVICE void meet(const Group& group, unsigned) {
  group.sync();
}
FUZZ_DEVICE void meet(const LaneSet& lanes, unsigned) {
  __syncwarp(lanes.mask);
}
FUZZ_DEVICE void meet(const WideGroup& wide, unsigned option) {
  const bool split = (option & kSplit) != 0;
  if (wide.scope == Context::block) {
    if (split) return meet_in_halves(cg::this_thread_block());
    return __syncthreads();
  }
  if (wide.scope == Context::cluster) {
    return split ? meet_in_halves(cg::this_cluster()) : cg::this_cluster().sync();
  }
  return split ? meet_in_halves(cg::this_grid()) : cg::this_grid().sync();
}

// Where the memory of the thread of a rank lies. `array` has an element for each thread: of the block where it is
// shared, of the grid where it is not.

/// The place of the n-th bit that is set, from 0.
FUZZ_DEVICE unsigned bit_of_rank(unsigned mask, unsigned n) {
  for (; n != 0; --n) mask &= mask - 1;
  return unsigned(__ffs(int(mask))) - 1;
}

FUZZ_DEVICE unsigned thread_of_rank(const LaneSet& lanes, unsigned rank, const ThreadState& state) {
  return state.self - state.lane() + bit_of_rank(lanes.mask, rank);
}
FUZZ_DEVICE unsigned thread_of_rank(const cg::coalesced_group& group, unsigned rank, const ThreadState& state) {
  return group.shfl(state.self, int(rank));
}
/// Of tiles, whose threads are neighbours.
template <class Group>
FUZZ_DEVICE unsigned thread_of_rank(const Group& group, unsigned rank, const ThreadState& state) {
  return state.self - unsigned(group.thread_rank()) + rank;
}

template <class T, class Group>
FUZZ_DEVICE T* element_of(const Group& group, T* array, bool global, unsigned rank, const ThreadState& state) {
  const unsigned thread = thread_of_rank(group, rank, state);
  return global ? array + (state.thread - state.self) + thread : array + thread;
}
template <class T>
FUZZ_DEVICE T* element_of(const WideGroup& wide, T* array, bool global, unsigned rank, const ThreadState& state) {
  const unsigned threads = unsigned(cg::this_thread_block().size());
  if (wide.scope == Context::grid) return array + rank;
  if (wide.scope == Context::block) return global ? array + (state.thread - state.self) + rank : array + rank;
  const cg::cluster_group cluster = cg::this_cluster();
  if (!global) return cluster.map_shared_rank(array, int(rank / threads)) + rank % threads;
  return array + (state.thread - unsigned(cluster.thread_rank())) + rank;
}

}  // namespace warpfiber::tools::fuzz
