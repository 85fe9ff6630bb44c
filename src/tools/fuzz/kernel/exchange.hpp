// SPDX-License-Identifier: Apache-2.0
//
// Values that threads of a group give each other through memory. A thread writes its own element, all meet, each reads
// or changes the element of another one, and all meet again before anybody writes the next: no two accesses are in a
// race, whatever the groups are that a program is cut into. Device code.
#pragma once

#include "tools/fuzz/kernel/groups.hpp"

namespace warpfiber::tools::fuzz {

/// `value` as the thread of rank `rank` has it.
template <class Group>
FUZZ_FAMILY std::uint64_t exchanged(const Group& group, std::uint64_t value, unsigned rank, unsigned option,
                                    const ThreadState& state) {
  const bool global = (option & kGlobal) != 0;
  (global ? state.memory.posts + state.thread : state.slots + state.self)[0] = value;
  const unsigned long long* const other =
      element_of(group, global ? state.memory.posts : state.slots, global, rank, state);
  meet(group, option);
  const std::uint64_t taken = *other;
  meet(group, option);
  return taken;
}

/// What the thread of rank `rank`, the same for all, has: by a shuffle where the group has one.
template <class Group>
FUZZ_DEVICE std::uint64_t fetched(const Group& group, std::uint64_t value, unsigned rank, const ThreadState& state) {
  if constexpr (kHasShuffles<Group> || kContext<Group> == Context::large_tile) {
    return group.shfl((unsigned long long)value, int(rank));
  } else if constexpr (kContext<Group> == Context::lanes) {
    return __shfl_sync(group.mask, (unsigned long long)value, int(bit_of_rank(group.mask, rank)));
  } else {
    return exchanged(group, value, rank, 0, state);
  }
}
FUZZ_DEVICE std::uint64_t fetched(const WideGroup& wide, std::uint64_t value, unsigned rank, const ThreadState& state) {
  return exchanged(wide, value, rank, wide.scope == Context::grid ? kGlobal : 0, state);
}

template <class T>
FUZZ_DEVICE void add_by_swaps(T* to, T value) {
  T seen = *static_cast<volatile T*>(to);
  for (T before = seen + 1; before != seen;) {
    before = seen;
    seen = atomicCAS(to, before, T(before + value));
  }
}

template <class T>
FUZZ_DEVICE void change(T* to, Atomic how, T value) {
  switch (how) {
    case Atomic::min: atomicMin(to, value); return;
    case Atomic::max: atomicMax(to, value); return;
    case Atomic::bit_and: atomicAnd(to, value); return;
    case Atomic::bit_or: atomicOr(to, value); return;
    case Atomic::bit_xor: atomicXor(to, value); return;
    case Atomic::compare_and_swap: add_by_swaps(to, value); return;
    default: break;
  }
  if constexpr (sizeof(T) == 4) {
    if (how == Atomic::increment) return void(atomicInc(to, 0xfffu));
    if (how == Atomic::decrement) return void(atomicDec(to, 0xfffu));
  }
  atomicAdd(to, value);
}

template <class T, class Group>
FUZZ_DEVICE std::uint64_t changed(const Group& group, const Node& node, T* array, T* own, const ThreadState& state) {
  const bool global = (node.option & kGlobal) != 0;
  *own = T(state.registers[node.to]);
  const auto rank = unsigned(state.registers[node.a] % size_of(group, state));
  T* const other = element_of(group, array, global, rank, state);
  meet(group, node.option);
  change(other, Atomic(node.how), T(state.registers[node.b]));
  meet(group, node.option);
  const std::uint64_t after = *own;
  meet(group, node.option);
  return after;
}

/// What the thread's word is after every thread of the group has changed one.
template <class Group>
FUZZ_FAMILY std::uint64_t atomically(const Group& group, const Node& node, const ThreadState& state) {
  const Memory& memory = state.memory;
  const bool global = (node.option & kGlobal) != 0;
  if (node.type == ValueType::uint32) {
    if (global) return changed(group, node, memory.words, memory.words + state.thread, state);
    return changed(group, node, state.narrow_slots, state.narrow_slots + state.self, state);
  }
  if (global) return changed(group, node, memory.posts, memory.posts + state.thread, state);
  return changed(group, node, state.slots, state.slots + state.self, state);
}

/// The sum of `value` over the lanes, by atomics of one thread for all that find each other. How many find each other
/// is up to the device, the sum is not; lanes of other masks that stand here too are parted from them by a label.
FUZZ_FAMILY inline std::uint64_t aggregated(const LaneSet& lanes, unsigned value, const ThreadState& state) {
  state.narrow_slots[state.self] = 0;
  __syncwarp(lanes.mask);
  unsigned* const sum = state.narrow_slots + thread_of_rank(lanes, 0, state);
  const cg::coalesced_group found = cg::labeled_partition(cg::coalesced_threads(), lanes.mask);
  const unsigned part = cg::reduce(found, value, cg::plus<unsigned>());
  if (found.thread_rank() == 0) atomicAdd(sum, part);
  __syncwarp(lanes.mask);
  const unsigned all = *sum;
  __syncwarp(lanes.mask);
  return all;
}

}  // namespace warpfiber::tools::fuzz
