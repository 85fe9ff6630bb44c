// SPDX-License-Identifier: Apache-2.0
//
// Shuffles, votes, matches, reductions and scans of tiles and coalesced groups; what a tile above 32 has of them, too.
// A Fault is made here, in builds for tests alone. Device code.
#pragma once

#include "tools/fuzz/kernel/groups.hpp"

namespace warpfiber::tools::fuzz {

/// Calls `body` with a value of the type that `type` names.
template <class Body>
FUZZ_DEVICE std::uint64_t with_type(ValueType type, const Body& body) {
  switch (type) {
    case ValueType::int32: return body(int());
    case ValueType::uint32: return body(0u);
    case ValueType::int64: return body(0ll);
    case ValueType::uint64: return body(0ull);
    case ValueType::float32: return body(float());
    default: return body(double());
  }
}

template <class T>
constexpr ValueType kTypeOf = ValueType::float64;
template <>
constexpr ValueType kTypeOf<int> = ValueType::int32;
template <>
constexpr ValueType kTypeOf<unsigned> = ValueType::uint32;
template <>
constexpr ValueType kTypeOf<long long> = ValueType::int64;
template <>
constexpr ValueType kTypeOf<unsigned long long> = ValueType::uint64;
template <>
constexpr ValueType kTypeOf<float> = ValueType::float32;

template <class T, class Group>
FUZZ_DEVICE std::uint64_t shuffle_of(const Group& group, const Node& node, const ThreadState& state) {
  const T value = ValueOf<T>::of(state.registers[node.a]);
  unsigned distance = node.immediate;
  if constexpr (kHasShuffles<Group>) {
    if (has_fault(state, InjectedFault::shuffle) && Shuffle(node.how) == Shuffle::down && distance == 3) distance = 2;
    if (Shuffle(node.how) == Shuffle::up) return ValueOf<T>::bits(group.shfl_up(value, distance));
    if (Shuffle(node.how) == Shuffle::down) return ValueOf<T>::bits(group.shfl_down(value, distance));
    if constexpr (kContext<Group> == Context::tile) {
      if (Shuffle(node.how) == Shuffle::exclusive_or) return ValueOf<T>::bits(group.shfl_xor(value, distance));
    }
    const auto wanted = unsigned(state.registers[node.b] >> 32);
    return ValueOf<T>::bits(group.shfl(value, int(wanted % group.size())));
  } else {
    return ValueOf<T>::bits(group.shfl(value, int(distance % group.size())));
  }
}

template <class Group>
FUZZ_FAMILY std::uint64_t shuffled(const Group& group, const Node& node, const ThreadState& state) {
  return with_type(node.type, [&](auto type) { return shuffle_of<decltype(type)>(group, node, state); });
}

template <class Group>
FUZZ_FAMILY std::uint64_t voted(const Group& group, const Node& node, const ThreadState& state) {
  const int predicate = int(state.registers[node.a] >> node.bit & 1);
  if (Vote(node.how) == Vote::any) return group.any(predicate);
  if (Vote(node.how) == Vote::all) return group.all(predicate);
  if constexpr (kHasShuffles<Group>) return group.ballot(predicate);
  return 0;
}

template <class T, class Group>
FUZZ_DEVICE std::uint64_t match_of(const Group& group, const Node& node, const ThreadState& state) {
  const T value = matched<T>(state.registers[node.a], node.immediate);
  if (node.how == 0) return group.match_any(value);
  int all = 0;
  const unsigned ranks = group.match_all(value, all);
  return std::uint64_t(all != 0) << 32 | ranks;
}

template <class Group>
FUZZ_FAMILY std::uint64_t matches(const Group& group, const Node& node, const ThreadState& state) {
  return with_type(node.type, [&](auto type) { return match_of<decltype(type)>(group, node, state); });
}

template <class T, class Group, class Functor>
FUZZ_DEVICE T folded_by(const Group& group, const Node& node, T value, Functor functor) {
  if (node.op == Op::reduce) return cg::reduce(group, value, functor);
  if ((node.option & kExclusive) != 0) return cg::exclusive_scan(group, value, functor);
  return cg::inclusive_scan(group, value, functor);
}

/// The sum in the order of ranks, which is none that CUDA has.
template <class T, class Group>
FUZZ_DEVICE T added_in_order(const Group& group, T value) {
  T sum = group.shfl(value, 0);
  for (unsigned rank = 1; rank < group.size(); ++rank) sum += group.shfl(value, int(rank));
  return sum;
}

template <Functor kFunctor, class T, class Functor, class Group>
FUZZ_DEVICE std::uint64_t folded_if_known(const Group& group, const Node& node, T value, Functor functor) {
  if constexpr (has_fold(kContext<Group>, kTileSize<Group>, kTypeOf<T>, kFunctor)) {
    return ValueOf<T>::bits(folded_by(group, node, value, functor));
  } else {
    return 0;
  }
}

template <class T, class Group>
FUZZ_FAMILY std::uint64_t fold_of(const Group& group, const Node& node, const ThreadState& state) {
  const T value = ValueOf<T>::of(state.registers[node.a]);
  if constexpr (kHasShuffles<Group> && is_float(kTypeOf<T>)) {
    const bool sum = node.op == Op::reduce && Functor(node.how) == Functor::plus;
    if (has_fault(state, InjectedFault::order) && sum) return ValueOf<T>::bits(added_in_order(group, value));
  }
  switch (Functor(node.how)) {
    case Functor::plus: return folded_if_known<Functor::plus>(group, node, value, cg::plus<T>());
    case Functor::less: return folded_if_known<Functor::less>(group, node, value, cg::less<T>());
    case Functor::greater: return folded_if_known<Functor::greater>(group, node, value, cg::greater<T>());
    default: break;
  }
  if constexpr (!is_float(kTypeOf<T>)) {
    if (Functor(node.how) == Functor::bit_and) {
      return folded_if_known<Functor::bit_and>(group, node, value, cg::bit_and<T>());
    }
    if (Functor(node.how) == Functor::bit_or) {
      return folded_if_known<Functor::bit_or>(group, node, value, cg::bit_or<T>());
    }
    return folded_if_known<Functor::bit_xor>(group, node, value, cg::bit_xor<T>());
  }
  return 0;
}

/// A reduction or a scan.
template <class Group>
FUZZ_DEVICE std::uint64_t folded(const Group& group, const Node& node, const ThreadState& state) {
  return with_type(node.type, [&](auto type) { return fold_of<decltype(type)>(group, node, state); });
}

}  // namespace warpfiber::tools::fuzz
