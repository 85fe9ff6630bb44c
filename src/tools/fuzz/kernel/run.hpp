// SPDX-License-Identifier: Apache-2.0
// How a group walks through nodes. All threads of the group are here together, and stay so: a node that only some of
// them enter is entered with a smaller group, and they meet again behind it. Device code.
#pragma once

#include "tools/fuzz/kernel/arithmetic.hpp"
#include "tools/fuzz/kernel/exchange.hpp"
#include "tools/fuzz/kernel/lanes.hpp"

namespace warpfiber::tools::fuzz {

/// Nodes from `first` up to `end`.
struct NodeRange {
  unsigned first, end;
};

/// A node that holds others, and where it stands.
struct ParentNode {
  Node node;
  unsigned index;

  __device__ NodeRange first() const { return {index + 1, index + 1 + node.first}; }
  __device__ NodeRange second() const { return {index + 1 + node.first, index + 1 + node.first + node.second}; }
  /// Of a group whose number among its like is odd or even.
  __device__ NodeRange part(bool odd) const { return odd && node.second != 0 ? second() : first(); }
};

template <class Group>
FUZZ_FAMILY void run(const Group& group, NodeRange range, ThreadState& state);

template <class Group>
FUZZ_DEVICE void enter(const Group& group, const ParentNode& holder, bool odd, ThreadState& state) {
  state.note(holder.index, place_of(group, state));
  run(group, holder.part(odd), state);
}

// What a node does that holds none.

template <class Group>
FUZZ_DEVICE std::uint64_t performed(const Group& group, const Node& node, ThreadState& state) {
  switch (node.op) {
    case Op::place: return place_of(group, state);
    case Op::atomic: return atomically(group, node, state);
    case Op::exchange: {
      const auto rank = unsigned(state.registers[node.b] % size_of(group, state));
      return exchanged(group, state.registers[node.a], rank, node.option, state);
    }
    default: break;
  }
  constexpr bool kLanes = kContext<Group> == Context::lanes;
  constexpr bool kShuffles = kHasShuffles<Group> || kLanes;
  if constexpr (kLanes) {
    if (node.op == Op::aggregate) return aggregated(group, unsigned(state.registers[node.a]), state);
  }
  if constexpr (kShuffles) {
    if (node.op == Op::match) return matches(group, node, state);
  }
  if constexpr (kShuffles || kContext<Group> == Context::large_tile) {
    if (node.op == Op::shuffle) return shuffled(group, node, state);
    if (node.op == Op::vote) return voted(group, node, state);
    if (node.op == Op::reduce || node.op == Op::scan) return folded(group, node, state);
  }
  if constexpr (kContext<Group> == Context::block) {
    const int predicate = int(state.registers[node.a] >> node.bit & 1);
    if (Vote(node.how) == Vote::any) return std::uint64_t(__syncthreads_or(predicate) != 0);
    if (Vote(node.how) == Vote::all) return std::uint64_t(__syncthreads_and(predicate) != 0);
    return std::uint64_t(__syncthreads_count(predicate));
  }
  return 0;
}

// What the groups of every context hold.

template <class Group>
FUZZ_DEVICE std::uint64_t fetched_for(const Group& group, const Node& node, const ThreadState& state) {
  return fetched(group, state.registers[node.a], node.immediate % size_of(group, state), state);
}

template <class Group>
FUZZ_DEVICE void choose(const Group& group, const ParentNode& holder, ThreadState& state) {
  const bool yes = (fetched_for(group, holder.node, state) >> holder.node.bit & 1) != 0;
  state.note(holder.index, yes);
  run(group, yes ? holder.first() : holder.second(), state);
}

template <class Group>
FUZZ_DEVICE void repeat(const Group& group, const ParentNode& holder, ThreadState& state) {
  unsigned count = holder.node.immediate;
  if ((holder.node.option & kCounted) != 0) {
    count = unsigned(fetched_for(group, holder.node, state) >> holder.node.bit) % 4;
    state.note(holder.index, count);
  }
  for (unsigned i = 0; i < count; ++i) run(group, holder.first(), state);
}

// Tiles.

/// The tile of `immediate` threads, if that is kSize or less.
template <unsigned kSize, class Group>
FUZZ_DEVICE void in_tile(const Group& group, const ParentNode& holder, ThreadState& state) {
  if (holder.node.immediate == kSize) {
    const cg::thread_block_tile<kSize> tile = cg::tiled_partition<kSize>(group);
    return enter(tile, holder, (tile.meta_group_rank() & 1) != 0, state);
  }
  if constexpr (kSize > 1) in_tile<kSize / 2>(group, holder, state);
}

template <unsigned kSize>
FUZZ_DEVICE void in_large_tile(const cg::thread_block& block, const ParentNode& holder, ThreadState& state) {
  const auto tile = cg::tiled_partition<kSize>(block);
  enter(tile, holder, (tile.meta_group_rank() & 1) != 0, state);
}

FUZZ_DEVICE void in_tile_of_block(const ParentNode& holder, ThreadState& state) {
  const cg::thread_block block = cg::this_thread_block();
  switch (holder.node.immediate) {
    case 1024: return in_large_tile<1024>(block, holder, state);
    case 512: return in_large_tile<512>(block, holder, state);
    case 256: return in_large_tile<256>(block, holder, state);
    case 128: return in_large_tile<128>(block, holder, state);
    case 64: return in_large_tile<64>(block, holder, state);
    default: return in_tile<32>(block, holder, state);
  }
}

template <class Group>
FUZZ_DEVICE void in_dynamic_tile(const Group& group, const ParentNode& holder, ThreadState& state) {
  const unsigned size = holder.node.immediate;
  const bool odd = (unsigned(group.thread_rank()) / size & 1) != 0;
  if constexpr (kContext<Group> == Context::coalesced) {
    enter(cg::tiled_partition(group, size), holder, odd, state);
  } else if constexpr (kContext<Group> == Context::tile) {
    const cg::thread_group parent = group;
    enter(cg::tiled_partition(parent, size), holder, odd, state);
  } else {
    enter(cg::tiled_partition(group, size), holder, odd, state);
  }
}

// Parts of a tile or of a coalesced group.

template <class Group>
FUZZ_DEVICE cg::coalesced_group labelled(const Group& group, const Node& node, const ThreadState& state) {
  const auto how = Label(node.how);
  long long label = label_of(how, state.registers[node.a], node.immediate);
  if (has_fault(state, InjectedFault::label) && how == Label::int64) label &= 0xffffffffll;
  switch (how) {
    case Label::boolean: return cg::labeled_partition(group, label != 0);
    case Label::int32: return cg::labeled_partition(group, int(label));
    case Label::int64: return cg::labeled_partition(group, label);
    default: return cg::labeled_partition(group, reinterpret_cast<const char*>(label));
  }
}

template <class Group>
FUZZ_FAMILY void in_part(const Group& group, const ParentNode& holder, ThreadState& state) {
  const Node& node = holder.node;
  const bool yes = (state.registers[node.a] >> node.bit & 1) != 0;
  const cg::coalesced_group part =
      node.op == Op::binary ? cg::binary_partition(group, yes) : labelled(group, node, state);
  enter(part, holder, (part.meta_group_rank() & 1) != 0, state);
}

// Lanes.

/// Lanes whose bit is unlike are parted, and each side is entered with the mask of its own.
FUZZ_FAMILY inline void branch(const LaneSet& lanes, const ParentNode& holder, ThreadState& state) {
  const bool yes = (state.registers[holder.node.a] >> holder.node.bit & 1) != 0;
  const unsigned ayes = __ballot_sync(lanes.mask, int(yes));
  if (yes) {
    run(LaneSet{ayes}, holder.first(), state);
  } else {
    run(LaneSet{lanes.mask & ~ayes}, holder.second(), state);
  }
  state.note(holder.index, ayes);
}

/// Lanes leave the loop one after another; those that go on know which they are.
FUZZ_FAMILY inline void loop(const LaneSet& lanes, const ParentNode& holder, ThreadState& state) {
  const auto count = unsigned(state.registers[holder.node.a] >> holder.node.bit & 3);
  unsigned left = lanes.mask;
  for (unsigned i = 0;; ++i) {
    left = __ballot_sync(left, int(i < count));
    if (i >= count) break;
    run(LaneSet{left}, holder.first(), state);
  }
  state.note(holder.index, count);
}

template <class Group>
FUZZ_DEVICE unsigned mask_of(const Group& group, const ThreadState& state) {
  if constexpr (kContext<Group> == Context::tile) {
    const unsigned all = 0xffffffffu >> (32 - unsigned(group.size()));
    return all << (state.lane() - unsigned(group.thread_rank()));
  } else if constexpr (kContext<Group> == Context::coalesced) {
    return cg::reduce(group, 1u << state.lane(), cg::bit_or<unsigned>());
  } else {
    const auto threads = unsigned(cg::this_thread_block().size());
    const unsigned behind = threads - (state.self - state.lane());
    return behind >= 32 ? 0xffffffffu : (1u << behind) - 1;
  }
}

/// Clusters of a grid, or blocks.
FUZZ_DEVICE void narrow(const ParentNode& holder, ThreadState& state) {
  const WideGroup scope = {Context(holder.node.how)};
  const cg::grid_group grid = cg::this_grid();
  const auto rank = unsigned(scope.scope == Context::cluster ? grid.cluster_rank() : grid.block_rank());
  const bool first = does_first(state.program->seed, holder.index, rank);
  run(scope, first ? holder.first() : holder.second(), state);
}

// Which of them a context has.

template <class Group>
FUZZ_DEVICE void hold(const Group& group, const ParentNode& holder, ThreadState& state) {
  constexpr Context kOwn = kContext<Group>;
  const Op op = holder.node.op;
  if (op == Op::when) return choose(group, holder, state);
  if (op == Op::repeat) return repeat(group, holder, state);
  if constexpr (kOwn == Context::lanes) {
    return op == Op::branch ? branch(group, holder, state) : loop(group, holder, state);
  } else {
    if constexpr (kOwn != Context::dynamic) {
      if (op == Op::lanes) return enter(LaneSet{mask_of(group, state)}, holder, false, state);
    }
    if constexpr (kOwn == Context::block) {
      if (op == Op::narrow) return narrow(holder, state);
      if (op == Op::tile) return in_tile_of_block(holder, state);
      return in_dynamic_tile(cg::this_thread_block(), holder, state);
    }
    if constexpr (kOwn == Context::large_tile) in_tile<32>(group, holder, state);
    if constexpr (kOwn == Context::tile && kTileSize < Group >> 1) {
      if (op == Op::tile) return in_tile<kTileSize<Group> / 2>(group, holder, state);
    }
    if constexpr (kOwn == Context::tile || kOwn == Context::coalesced) {
      if (op == Op::binary || op == Op::label) return in_part(group, holder, state);
    }
    if constexpr (kOwn == Context::tile || kOwn == Context::coalesced || kOwn == Context::dynamic) {
      in_dynamic_tile(group, holder, state);
    }
  }
}

template <class Group>
FUZZ_FAMILY void run(const Group& group, NodeRange range, ThreadState& state) {
  for (unsigned i = range.first; i < range.end;) {
    const Node node = state.program->nodes[i];
    if (node.op == Op::arithmetic) {
      state.put(i, node.to, computed(Arithmetic(node.how), state.registers[node.a], state.registers[node.b]));
    } else if (holds_nodes(node.op)) {
      hold(group, {node, i}, state);
    } else {
      state.put(i, node.to, performed(group, node, state));
    }
    i += 1 + node.first + node.second;
  }
}

// The kernel that walks through one program: a launch of the program's shape, cooperative and in clusters as it says.

static __global__ void __launch_bounds__(kMaxThreads) interpret(const Flat* program, Memory memory) {
  WARPFIBER_SHARED(unsigned long long[kMaxThreads], slots);
  WARPFIBER_SHARED(unsigned[kMaxThreads], narrow_slots);
  const auto self = unsigned(cg::this_thread_block().thread_rank());
  const auto thread = unsigned(cg::this_grid().thread_rank());
  ThreadState state = {program, memory, &slots[0], &narrow_slots[0], self, thread, {}, 0, 0};
  for (unsigned i = 0; i < kRegisters; ++i) state.registers[i] = mix(program->seed + i, thread);
  run(WideGroup{root_of(program->shape)}, NodeRange{0, program->count}, state);
  for (unsigned i = 0; i < kRegisters; ++i) state.hash = mix(state.hash, state.registers[i]);
  memory.hashes[thread] = state.hash;
  if (memory.events != nullptr) memory.event_count[thread] = state.events;
}

}  // namespace warpfiber::tools::fuzz
