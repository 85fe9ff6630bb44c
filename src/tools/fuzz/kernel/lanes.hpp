// SPDX-License-Identifier: Apache-2.0
//
// The same for lanes named by a mask, by the functions whose names end with _sync. No lane asks another one that is not
// in the mask: its operand is changed until it does not. Device code.
#pragma once

#include "tools/fuzz/kernel/collectives.hpp"

namespace warpfiber::tools::fuzz {

/// The lane that an operand leads to, by the formula of `shfl` in the PTX ISA; the lane itself where that is outside.
FUZZ_DEVICE unsigned source_of(Shuffle how, unsigned lane, unsigned operand, unsigned width) {
  const unsigned first = lane & ~(width - 1);
  if (how == Shuffle::index) return first + (operand & (width - 1));
  if (how == Shuffle::up) return lane - first >= operand ? lane - operand : lane;
  const unsigned source = how == Shuffle::down ? lane + operand : lane ^ operand;
  return source < first + width ? source : lane;
}

/// The next operand from `operand` on that leads to a lane of the mask.
FUZZ_DEVICE unsigned permitted(Shuffle how, const LaneSet& lanes, unsigned operand, unsigned width,
                               const ThreadState& state) {
  while ((lanes.mask >> source_of(how, state.lane(), operand, width) & 1) == 0) operand = (operand + 1) % width;
  return operand;
}

template <class T>
FUZZ_DEVICE std::uint64_t shuffle_of(const LaneSet& lanes, const Node& node, const ThreadState& state) {
  const T value = ValueOf<T>::of(state.registers[node.a]);
  const unsigned width = 1u << node.bit;
  const auto how = Shuffle(node.how);
  const unsigned wanted = how == Shuffle::index ? unsigned(state.registers[node.b] >> 32) : node.immediate;
  const unsigned operand = permitted(how, lanes, wanted % width, width, state);
  switch (how) {
    case Shuffle::index: return ValueOf<T>::bits(__shfl_sync(lanes.mask, value, int(operand), int(width)));
    case Shuffle::up: return ValueOf<T>::bits(__shfl_up_sync(lanes.mask, value, operand, int(width)));
    case Shuffle::down: return ValueOf<T>::bits(__shfl_down_sync(lanes.mask, value, operand, int(width)));
    default: return ValueOf<T>::bits(__shfl_xor_sync(lanes.mask, value, int(operand), int(width)));
  }
}

FUZZ_FAMILY inline std::uint64_t shuffled(const LaneSet& lanes, const Node& node, const ThreadState& state) {
  return with_type(node.type, [&](auto type) { return shuffle_of<decltype(type)>(lanes, node, state); });
}

FUZZ_FAMILY inline std::uint64_t voted(const LaneSet& lanes, const Node& node, const ThreadState& state) {
  const int predicate = int(state.registers[node.a] >> node.bit & 1);
  if (Vote(node.how) == Vote::any) return std::uint64_t(__any_sync(lanes.mask, predicate) != 0);
  if (Vote(node.how) == Vote::all) return std::uint64_t(__all_sync(lanes.mask, predicate) != 0);
  return __ballot_sync(lanes.mask, predicate);
}

template <class T>
FUZZ_DEVICE std::uint64_t match_of(const LaneSet& lanes, const Node& node, const ThreadState& state) {
  const T value = matched<T>(state.registers[node.a], node.immediate);
  if (node.how == 0) return __match_any_sync(lanes.mask, value);
  int all = 0;
  const unsigned matching = __match_all_sync(lanes.mask, value, &all);
  return std::uint64_t(all != 0) << 32 | matching;
}

FUZZ_FAMILY inline std::uint64_t matches(const LaneSet& lanes, const Node& node, const ThreadState& state) {
  return with_type(node.type, [&](auto type) { return match_of<decltype(type)>(lanes, node, state); });
}

FUZZ_DEVICE std::uint64_t reduced(const LaneSet& lanes, Functor functor, unsigned value) {
  switch (functor) {
    case Functor::plus: return __reduce_add_sync(lanes.mask, value);
    case Functor::less: return __reduce_min_sync(lanes.mask, value);
    case Functor::greater: return __reduce_max_sync(lanes.mask, value);
    case Functor::bit_and: return __reduce_and_sync(lanes.mask, value);
    case Functor::bit_or: return __reduce_or_sync(lanes.mask, value);
    default: return __reduce_xor_sync(lanes.mask, value);
  }
}

FUZZ_DEVICE std::uint64_t reduced(const LaneSet& lanes, Functor functor, int value) {
  switch (functor) {
    case Functor::plus: return ValueOf<int>::bits(__reduce_add_sync(lanes.mask, value));
    case Functor::less: return ValueOf<int>::bits(__reduce_min_sync(lanes.mask, value));
    default: return ValueOf<int>::bits(__reduce_max_sync(lanes.mask, value));
  }
}

FUZZ_FAMILY inline std::uint64_t folded(const LaneSet& lanes, const Node& node, const ThreadState& state) {
  const std::uint64_t bits = state.registers[node.a];
  if (node.type == ValueType::int32) return reduced(lanes, Functor(node.how), ValueOf<int>::of(bits));
  return reduced(lanes, Functor(node.how), ValueOf<unsigned>::of(bits));
}

}  // namespace warpfiber::tools::fuzz
