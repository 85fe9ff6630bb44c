// SPDX-License-Identifier: Apache-2.0
//
// How a group walks through nodes. All threads of the group are here together, and stay so: a node that only some of
// them enter is entered with a smaller group, and they meet again behind it. Device code.
#pragma once

#include "tools/fuzz/kernel/arithmetic.hpp"
#include "tools/fuzz/kernel/exchange.hpp"
#include "tools/fuzz/kernel/lanes.hpp"

namespace warpfiber::tools::fuzz {

/// Nodes from `first` up to `end`.
struct Range {
  unsigned first, end;
};

/// A node that holds others, and where it stands.
struct Holder {
  Node node;
  unsigned index;

  __device__ Range first() const { return {index + 1, index + 1 + node.first}; }
  __device__ Range second() const { return {index + 1 + node.first, index + 1 + node.first + node.second}; }
  /// Of a group whose number among its like is odd or even.
  __device__ Range part(bool odd) const { return odd && node.second != 0 ? second() : first(); }
};

template <class Group>
FUZZ_FAMILY void run(const Group& group, Range range, Walk& walk);

template <class Group>
FUZZ_DEVICE void enter(const Group& group, const Holder& holder, bool odd, Walk& walk) {
  walk.note(holder.index, place_of(group, walk));
  run(group, holder.part(odd), walk);
}

// What a node does that holds none.

template <class Group>
FUZZ_DEVICE std::uint64_t performed(const Group& group, const Node& node, Walk& walk) {
  switch (node.op) {
    case Op::place: return place_of(group, walk);
    case Op::atomic: return atomically(group, node, walk);
    case Op::exchange: {
      const auto rank = unsigned(walk.registers[node.b] % size_of(group, walk));
      return exchanged(group, walk.registers[node.a], rank, node.option, walk);
    }
    default: break;
  }
  constexpr bool kLanes = kContext<Group> == Context::lanes;
  constexpr bool kShuffles = kHasShuffles<Group> || kLanes;
  if constexpr (kLanes) {
    if (node.op == Op::aggregate) return aggregated(group, unsigned(walk.registers[node.a]), walk);
  }
  if constexpr (kShuffles) {
    if (node.op == Op::match) return matches(group, node, walk);
  }
  if constexpr (kShuffles || kContext<Group> == Context::large_tile) {
    if (node.op == Op::shuffle) return shuffled(group, node, walk);
    if (node.op == Op::vote) return voted(group, node, walk);
    if (node.op == Op::reduce || node.op == Op::scan) return folded(group, node, walk);
  }
  if constexpr (kContext<Group> == Context::block) {
    const int predicate = int(walk.registers[node.a] >> node.bit & 1);
    if (Vote(node.how) == Vote::any) return std::uint64_t(__syncthreads_or(predicate) != 0);
    if (Vote(node.how) == Vote::all) return std::uint64_t(__syncthreads_and(predicate) != 0);
    return std::uint64_t(__syncthreads_count(predicate));
  }
  return 0;
}

// What the groups of every context hold.

template <class Group>
FUZZ_DEVICE std::uint64_t fetched_for(const Group& group, const Node& node, const Walk& walk) {
  return fetched(group, walk.registers[node.a], node.immediate % size_of(group, walk), walk);
}

template <class Group>
FUZZ_DEVICE void choose(const Group& group, const Holder& holder, Walk& walk) {
  const bool yes = (fetched_for(group, holder.node, walk) >> holder.node.bit & 1) != 0;
  walk.note(holder.index, yes);
  run(group, yes ? holder.first() : holder.second(), walk);
}

template <class Group>
FUZZ_DEVICE void repeat(const Group& group, const Holder& holder, Walk& walk) {
  unsigned count = holder.node.immediate;
  if ((holder.node.option & kCounted) != 0) {
    count = unsigned(fetched_for(group, holder.node, walk) >> holder.node.bit) % 4;
    walk.note(holder.index, count);
  }
  for (unsigned i = 0; i < count; ++i) run(group, holder.first(), walk);
}

// Tiles.

/// The tile of `immediate` threads, if that is kSize or less.
template <unsigned kSize, class Group>
FUZZ_DEVICE void in_tile(const Group& group, const Holder& holder, Walk& walk) {
  if (holder.node.immediate == kSize) {
    const cg::thread_block_tile<kSize> tile = cg::tiled_partition<kSize>(group);
    return enter(tile, holder, (tile.meta_group_rank() & 1) != 0, walk);
  }
  if constexpr (kSize > 1) in_tile<kSize / 2>(group, holder, walk);
}

template <unsigned kSize>
FUZZ_DEVICE void in_large_tile(const cg::thread_block& block, const Holder& holder, Walk& walk) {
  const auto tile = cg::tiled_partition<kSize>(block);
  enter(tile, holder, (tile.meta_group_rank() & 1) != 0, walk);
}

FUZZ_DEVICE void in_tile_of_block(const Holder& holder, Walk& walk) {
  const cg::thread_block block = cg::this_thread_block();
  switch (holder.node.immediate) {
    case 1024: return in_large_tile<1024>(block, holder, walk);
    case 512: return in_large_tile<512>(block, holder, walk);
    case 256: return in_large_tile<256>(block, holder, walk);
    case 128: return in_large_tile<128>(block, holder, walk);
    case 64: return in_large_tile<64>(block, holder, walk);
    default: return in_tile<32>(block, holder, walk);
  }
}

template <class Group>
FUZZ_DEVICE void in_dynamic_tile(const Group& group, const Holder& holder, Walk& walk) {
  const unsigned size = holder.node.immediate;
  const bool odd = (unsigned(group.thread_rank()) / size & 1) != 0;
  if constexpr (kContext<Group> == Context::coalesced) {
    enter(cg::tiled_partition(group, size), holder, odd, walk);
  } else if constexpr (kContext<Group> == Context::tile) {
    const cg::thread_group parent = group;
    enter(cg::tiled_partition(parent, size), holder, odd, walk);
  } else {
    enter(cg::tiled_partition(group, size), holder, odd, walk);
  }
}

// Parts of a tile or of a coalesced group.

template <class Group>
FUZZ_DEVICE cg::coalesced_group labelled(const Group& group, const Node& node, const Walk& walk) {
  const auto how = Label(node.how);
  long long label = label_of(how, walk.registers[node.a], node.immediate);
  if (has_fault(walk, Fault::label) && how == Label::int64) label &= 0xffffffffll;
  switch (how) {
    case Label::boolean: return cg::labeled_partition(group, label != 0);
    case Label::int32: return cg::labeled_partition(group, int(label));
    case Label::int64: return cg::labeled_partition(group, label);
    default: return cg::labeled_partition(group, reinterpret_cast<const char*>(label));
  }
}

template <class Group>
FUZZ_FAMILY void in_part(const Group& group, const Holder& holder, Walk& walk) {
  const Node& node = holder.node;
  const bool yes = (walk.registers[node.a] >> node.bit & 1) != 0;
  const cg::coalesced_group part =
      node.op == Op::binary ? cg::binary_partition(group, yes) : labelled(group, node, walk);
  enter(part, holder, (part.meta_group_rank() & 1) != 0, walk);
}

// Lanes.

/// Lanes whose bit is unlike are parted, and each side is entered with the mask of its own.
FUZZ_FAMILY inline void branch(const Lanes& lanes, const Holder& holder, Walk& walk) {
  const bool yes = (walk.registers[holder.node.a] >> holder.node.bit & 1) != 0;
  const unsigned ayes = __ballot_sync(lanes.mask, int(yes));
  if (yes) {
    run(Lanes{ayes}, holder.first(), walk);
  } else {
    run(Lanes{lanes.mask & ~ayes}, holder.second(), walk);
  }
  walk.note(holder.index, ayes);
}

/// Lanes leave the loop one after another; those that go on know which they are.
FUZZ_FAMILY inline void loop(const Lanes& lanes, const Holder& holder, Walk& walk) {
  const auto count = unsigned(walk.registers[holder.node.a] >> holder.node.bit & 3);
  unsigned left = lanes.mask;
  for (unsigned i = 0;; ++i) {
    left = __ballot_sync(left, int(i < count));
    if (i >= count) break;
    run(Lanes{left}, holder.first(), walk);
  }
  walk.note(holder.index, count);
}

template <class Group>
FUZZ_DEVICE unsigned mask_of(const Group& group, const Walk& walk) {
  if constexpr (kContext<Group> == Context::tile) {
    const unsigned all = 0xffffffffu >> (32 - unsigned(group.size()));
    return all << (walk.lane() - unsigned(group.thread_rank()));
  } else if constexpr (kContext<Group> == Context::coalesced) {
    return cg::reduce(group, 1u << walk.lane(), cg::bit_or<unsigned>());
  } else {
    const auto threads = unsigned(cg::this_thread_block().size());
    const unsigned behind = threads - (walk.self - walk.lane());
    return behind >= 32 ? 0xffffffffu : (1u << behind) - 1;
  }
}

/// Clusters of a grid, or blocks.
FUZZ_DEVICE void narrow(const Holder& holder, Walk& walk) {
  const Wide scope = {Context(holder.node.how)};
  const cg::grid_group grid = cg::this_grid();
  const auto rank = unsigned(scope.scope == Context::cluster ? grid.cluster_rank() : grid.block_rank());
  const bool first = does_first(walk.program->seed, holder.index, rank);
  run(scope, first ? holder.first() : holder.second(), walk);
}

// Which of them a context has.

template <class Group>
FUZZ_DEVICE void hold(const Group& group, const Holder& holder, Walk& walk) {
  constexpr Context kOwn = kContext<Group>;
  const Op op = holder.node.op;
  if (op == Op::when) return choose(group, holder, walk);
  if (op == Op::repeat) return repeat(group, holder, walk);
  if constexpr (kOwn == Context::lanes) {
    return op == Op::branch ? branch(group, holder, walk) : loop(group, holder, walk);
  } else {
    if constexpr (kOwn != Context::dynamic) {
      if (op == Op::lanes) return enter(Lanes{mask_of(group, walk)}, holder, false, walk);
    }
    if constexpr (kOwn == Context::block) {
      if (op == Op::narrow) return narrow(holder, walk);
      if (op == Op::tile) return in_tile_of_block(holder, walk);
      return in_dynamic_tile(cg::this_thread_block(), holder, walk);
    }
    if constexpr (kOwn == Context::large_tile) in_tile<32>(group, holder, walk);
    if constexpr (kOwn == Context::tile && kTileSize < Group >> 1) {
      if (op == Op::tile) return in_tile<kTileSize<Group> / 2>(group, holder, walk);
    }
    if constexpr (kOwn == Context::tile || kOwn == Context::coalesced) {
      if (op == Op::binary || op == Op::label) return in_part(group, holder, walk);
    }
    if constexpr (kOwn == Context::tile || kOwn == Context::coalesced || kOwn == Context::dynamic) {
      in_dynamic_tile(group, holder, walk);
    }
  }
}

template <class Group>
FUZZ_FAMILY void run(const Group& group, Range range, Walk& walk) {
  for (unsigned i = range.first; i < range.end;) {
    const Node node = walk.program->nodes[i];
    if (node.op == Op::arithmetic) {
      walk.put(i, node.to, computed(Arithmetic(node.how), walk.registers[node.a], walk.registers[node.b]));
    } else if (holds_nodes(node.op)) {
      hold(group, {node, i}, walk);
    } else {
      walk.put(i, node.to, performed(group, node, walk));
    }
    i += 1 + node.first + node.second;
  }
}

}  // namespace warpfiber::tools::fuzz
