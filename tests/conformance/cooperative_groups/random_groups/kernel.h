// SPDX-License-Identifier: Apache-2.0
//
// The kernel: one block a case. Every thread cuts its group until the case says that this is the last, tells its place
// in each, and then does the actions. Groups are interpreted, actions too, so that a group is a type and no more.
#pragma once

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

#include "cases.h"

namespace random_groups {

namespace cg = cooperative_groups;

/// Where a thread is on its path.
struct Walk {
  const Case* drawn;
  const Plan* plan;        // none before the first partition
  std::uint64_t* results;  // kSlots
  unsigned* exchange;      // shared, one word a thread
  unsigned self;           // rank in the block
  int level;               // how many partitions led here

  __device__ Step next() const {
    if (level == 0) return drawn->root;
    return level < kDepth ? plan->steps[level - 1] : Step{Cut::none, 0, 0, 0};
  }
  __device__ void choose(unsigned meta_rank) {
    if (level == 1) plan = &drawn->plans[meta_rank & 1];
  }
  __device__ void tell(std::uint64_t place) const { results[level] = place; }
};

template <class Group>
constexpr bool kTile = false;
template <unsigned kSize>
constexpr bool kTile<cg::thread_block_tile<kSize>> = true;

template <class Group>
constexpr bool kLanes = kTile<Group>;
template <>
constexpr bool kLanes<cg::coalesced_group> = true;

template <class Group>
constexpr bool kLarge = false;
template <unsigned kSize, class Parent>
constexpr bool kLarge<cg::thread_block_tile<kSize, Parent>> = kSize >= 64;

template <class Group>
__device__ void begin(const Group& group, Walk& walk) {
  ++walk.level;
  walk.choose(group.meta_group_rank());
  walk.tell(tell_place(group.size(), group.thread_rank(), group.meta_group_rank(), group.meta_group_size()));
}

// Actions.

/// Takes what the next rank wrote before the group synchronised.
template <class Group>
__device__ std::uint64_t synchronise(const Group& group, const Action& action, const Walk& walk) {
  const auto next = unsigned((group.thread_rank() + 1) % group.size());
  unsigned peer = walk.self - unsigned(group.thread_rank()) + next;
  if constexpr (kLanes<Group>) peer = group.shfl(walk.self, int(next));
  walk.exchange[walk.self] = Values<unsigned>::from(draw(action.seed, action.distinct, walk.self));
  cg::sync(group);
  const unsigned taken = walk.exchange[peer];
  group.sync();
  return taken;
}

/// How many threads were the one.
template <class Group>
__device__ std::uint64_t invoke_one(const Group& group, const Walk& walk) {
  unsigned calls = 0;
  cg::invoke_one(
      group, [&](unsigned more) { calls += more; }, 1u);
  if constexpr (kLanes<Group>) {
    return __popc(group.ballot(int(calls)));
  } else {
    unsigned* sum = &walk.exchange[walk.self - group.thread_rank()];
    if (group.thread_rank() == 0) *sum = 0;
    group.sync();
    if (calls != 0) atomicAdd(sum, calls);
    group.sync();
    const unsigned all = *sum;
    group.sync();
    return all;
  }
}

template <class T, class Group>
__device__ std::uint64_t shuffle(const Group& group, const Action& action, unsigned self) {
  const T value = Values<T>::from(draw(action.seed, action.distinct, self));
  if constexpr (kLanes<Group>) {
    if (action.call == Call::shfl_up) return Values<T>::told(group.shfl_up(value, action.argument));
    if (action.call == Call::shfl_down) return Values<T>::told(group.shfl_down(value, action.argument));
  }
  if constexpr (kTile<Group>) {
    if (action.call == Call::shfl_xor) return Values<T>::told(group.shfl_xor(value, action.argument));
  }
  const unsigned limit = kLarge<Group> ? 0 : kTile<Group> ? 2 * group.size() : group.size();
  return Values<T>::told(group.shfl(value, draw_source(action, self, limit)));
}

template <class Group>
__device__ __noinline__ std::uint64_t shuffle(const Group& group, const Action& action, unsigned self) {
  switch (action.element) {
    case Element::int32: return shuffle<int>(group, action, self);
    case Element::uint32: return shuffle<unsigned>(group, action, self);
    case Element::int64: return shuffle<long long>(group, action, self);
    case Element::float32: return shuffle<float>(group, action, self);
    case Element::float64: return shuffle<double>(group, action, self);
    default:
      if constexpr (kLanes<Group>) return shuffle<Triple>(group, action, self);
      return 0;
  }
}

template <class T, class Group>
__device__ std::uint64_t match(const Group& group, const Action& action, unsigned self) {
  const T value = Values<T>::from(draw(action.seed, action.distinct, self));
  if (action.call == Call::match_any) return group.match_any(value);
  int predicate = 0;
  const unsigned ranks = group.match_all(value, predicate);
  return tell_match(ranks, predicate != 0);
}

template <class Group>
__device__ __noinline__ std::uint64_t match(const Group& group, const Action& action, unsigned self) {
  switch (action.element) {
    case Element::int32: return match<int>(group, action, self);
    case Element::uint32: return match<unsigned>(group, action, self);
    case Element::int64: return match<long long>(group, action, self);
    case Element::float32: return match<float>(group, action, self);
    default: return match<double>(group, action, self);
  }
}

template <class Group>
__device__ __noinline__ std::uint64_t vote(const Group& group, const Action& action, unsigned self) {
  const int predicate = int(draw(action.seed, action.distinct, self) & 4);
  if (action.call == Call::any) return group.any(predicate);
  if (action.call == Call::all) return group.all(predicate);
  if constexpr (kLanes<Group>) return group.ballot(predicate);
  return 0;
}

template <class T, class Group, class Op>
__device__ T fold(const Group& group, Call call, T value, Op op) {
  if (call == Call::reduce) return cg::reduce(group, value, op);
  if (call == Call::inclusive_scan) return cg::inclusive_scan(group, value, op);
  return cg::exclusive_scan(group, value, op);
}

/// The sums go by the forms without an operator, where there are such.
template <class T, class Group>
__device__ T sum(const Group& group, Call call, T value) {
  if (call == Call::reduce) return cg::reduce(group, value, cg::plus<T>());
  if (call == Call::inclusive_scan) return cg::inclusive_scan(group, value);
  return cg::exclusive_scan(group, value);
}

template <class Group>
__device__ __noinline__ std::uint64_t fold_bits(const Group& group, const Action& action, unsigned value) {
  switch (action.functor) {
    case Functor::bit_and: return fold(group, action.call, value, cg::bit_and<unsigned>());
    case Functor::bit_or: return fold(group, action.call, value, cg::bit_or<unsigned>());
    case Functor::bit_xor: return fold(group, action.call, value, cg::bit_xor<unsigned>());
    default: return fold(group, action.call, value, Mix());
  }
}

template <class T, class Group>
__device__ __noinline__ std::uint64_t fold(const Group& group, const Action& action, unsigned self) {
  const T value = Values<T>::from(draw(action.seed, action.distinct, self));
  switch (action.functor) {
    case Functor::plus: return Values<T>::told(sum(group, action.call, value));
    case Functor::less:
      if constexpr (!cuda::std::is_same<T, double>::value) {
        return Values<T>::told(fold(group, action.call, value, cg::less<T>()));
      }
      return 0;
    case Functor::greater:
      if constexpr (!cuda::std::is_same<T, float>::value) {
        return Values<T>::told(fold(group, action.call, value, cg::greater<T>()));
      }
      return 0;
    default:
      if constexpr (cuda::std::is_same<T, unsigned>::value) return fold_bits(group, action, value);
      return 0;
  }
}

template <class Group>
__device__ std::uint64_t fold(const Group& group, const Action& action, unsigned self) {
  switch (action.element) {
    case Element::int32: return fold<int>(group, action, self);
    case Element::uint32: return fold<unsigned>(group, action, self);
    case Element::int64: return fold<long long>(group, action, self);
    case Element::float32: return fold<float>(group, action, self);
    default: return fold<double>(group, action, self);
  }
}

template <class Group, class Atomic, class Op>
__device__ unsigned scan_on_top(const Group& group, Call call, Atomic& atomic, unsigned value, Op op) {
  if (call == Call::inclusive_scan_update) return cg::inclusive_scan_update(group, atomic, value, op);
  return cg::exclusive_scan_update(group, atomic, value, op);
}

/// What a thread gets, and what the group's atomic holds thereafter.
template <class Group>
__device__ __noinline__ std::uint64_t update(const Group& group, const Action& action, const Walk& walk) {
  unsigned first = walk.self - unsigned(group.thread_rank());
  if constexpr (kLanes<Group>) first = group.shfl(walk.self, 0);
  unsigned& word = walk.exchange[first];
  const cuda::atomic_ref<unsigned, cuda::thread_scope_block> atomic(word);
  if (group.thread_rank() == 0) word = draw_base(action);
  group.sync();
  const unsigned value = Values<unsigned>::from(draw(action.seed, action.distinct, walk.self));
  unsigned result = 0;
  if (action.call != Call::reduce_update_async) {
    result = action.functor == Functor::plus ? scan_on_top(group, action.call, atomic, value, cg::plus<unsigned>())
                                             : scan_on_top(group, action.call, atomic, value, Mix());
  } else if (action.functor == Functor::plus) {
    cg::reduce_update_async(group, atomic, value, cg::plus<unsigned>());
  } else {
    cg::reduce_update_async(group, atomic, value, cg::less<unsigned>());
  }
  group.sync();
  const unsigned after = word;
  group.sync();
  return tell_update(result, after);
}

template <class Group>
__device__ std::uint64_t perform(const Group& group, const Action& action, const Walk& walk) {
  if (action.call == Call::sync) return synchronise(group, action, walk);
  if (action.call == Call::invoke_one) return invoke_one(group, walk);
  if constexpr (kLanes<Group> || kLarge<Group>) {
    if (is_update(action.call)) return update(group, action, walk);
    if (is_fold(action.call)) return fold(group, action, walk.self);
    switch (action.call) {
      case Call::invoke_one_broadcast:
        return cg::invoke_one_broadcast(group, [&] { return static_cast<unsigned long long>(scramble(action.seed)); });
      case Call::any:
      case Call::all:
      case Call::ballot: return vote(group, action, walk.self);
      case Call::match_any:
      case Call::match_all:
        if constexpr (kLanes<Group>) return match(group, action, walk.self);
        return 0;
      default: return shuffle(group, action, walk.self);
    }
  }
  return 0;
}

template <class Group>
__device__ __noinline__ void act(const Group& group, unsigned meta_rank, const Walk& walk) {
  const Plan& plan = walk.plan == nullptr ? walk.drawn->plans[0] : *walk.plan;
  const Actions& actions = plan.actions[meta_rank & 1];
  for (int i = 0; i < actions.count; ++i) {
    walk.results[kLevels + i] = perform(group, actions.list[i], walk);
  }
}

// Paths.

template <class Group>
__device__ cg::coalesced_group part(const Group& group, const Step& step, unsigned self) {
  const std::uint64_t bits = draw(step.seed, step.distinct, self);
  switch (step.cut) {
    case Cut::binary: return cg::binary_partition(group, label_bool(bits));
    case Cut::label_bool: return cg::labeled_partition(group, label_bool(bits));
    case Cut::label_int: return cg::labeled_partition(group, label_int(bits));
    case Cut::label_long: return cg::labeled_partition(group, label_long(bits));
    default: return cg::labeled_partition(group, reinterpret_cast<const char*>(bits));
  }
}

/// A coalesced group; kLeft more partitions can follow.
template <int kLeft>
__device__ __noinline__ void in_coalesced(const cg::coalesced_group& group, Walk walk) {
  begin(group, walk);
  if constexpr (kLeft > 0) {
    const Step step = walk.next();
    if (step.cut == Cut::dynamic) return in_coalesced<kLeft - 1>(cg::tiled_partition(group, step.size), walk);
    if (step.cut != Cut::none) return in_coalesced<kLeft - 1>(part(group, step, walk.self), walk);
  }
  act(group, group.meta_group_rank(), walk);
}

/// What the dynamic partition of a block or tile returns does not know which one it is.
template <int kLeft>
__device__ __noinline__ void in_dynamic(const cg::thread_group& group, unsigned which, Walk walk) {
  ++walk.level;
  walk.choose(which);
  walk.tell(tell_place(group.size(), group.thread_rank(), 0, 0));
  if constexpr (kLeft > 0) {
    const Step step = walk.next();
    if (step.cut == Cut::dynamic) {
      const auto rank = unsigned(group.thread_rank());
      return in_dynamic<kLeft - 1>(cg::tiled_partition(group, step.size), rank / step.size, walk);
    }
  }
  act(group, which, walk);
}

template <unsigned kSize>
__device__ __noinline__ void in_tile(const cg::thread_block_tile<kSize>& tile, Walk walk);

/// The tile of `size` threads, if that is kSize or less.
template <unsigned kSize, class Group>
__device__ void in_smaller_tile(const Group& group, unsigned size, const Walk& walk) {
  if (size == kSize) return in_tile<kSize>(cg::tiled_partition<kSize>(group), walk);
  if constexpr (kSize > 1) in_smaller_tile<kSize / 2>(group, size, walk);
}

template <unsigned kSize>
__device__ void in_tile(const cg::thread_block_tile<kSize>& tile, Walk walk) {
  begin(tile, walk);
  const Step step = walk.next();
  switch (step.cut) {
    case Cut::none: return act(tile, tile.meta_group_rank(), walk);
    case Cut::tile:
      if constexpr (kSize > 1) in_smaller_tile<kSize / 2>(tile, step.size, walk);
      return;
    case Cut::dynamic: {
      const cg::thread_group parent = tile;
      return in_dynamic<kDepth - 2>(cg::tiled_partition(parent, step.size), tile.thread_rank() / step.size, walk);
    }
    default: return in_coalesced<kDepth - 2>(part(tile, step, walk.self), walk);
  }
}

template <unsigned kSize, class Parent>
__device__ __noinline__ void in_large_tile(const cg::thread_block_tile<kSize, Parent>& tile, Walk walk) {
  begin(tile, walk);
  const Step step = walk.next();
  if (step.cut == Cut::none) return act(tile, tile.meta_group_rank(), walk);
  if constexpr (kSize == 256) {
    if (step.size == 64) return in_large_tile(cg::tiled_partition<64>(tile), walk);
  }
  in_smaller_tile<32>(tile, step.size, walk);
}

__device__ inline void in_tile_of_block(const cg::thread_block& block, unsigned size, const Walk& walk) {
  switch (size) {
    case 1024: return in_large_tile(cg::tiled_partition<1024>(block), walk);
    case 512: return in_large_tile(cg::tiled_partition<512>(block), walk);
    case 256: return in_large_tile(cg::tiled_partition<256>(block), walk);
    case 128: return in_large_tile(cg::tiled_partition<128>(block), walk);
    case 64: return in_large_tile(cg::tiled_partition<64>(block), walk);
    default: return in_smaller_tile<32>(block, size, walk);
  }
}

/// What coalesced_threads() returned on one side of a branch.
__device__ __noinline__ void on_side(int side, const cg::coalesced_group& group, Walk walk) {
  walk.plan = &walk.drawn->plans[side];
  walk.level = 1;
  walk.tell(tell_found(group.size(), group.thread_rank(), group.shfl(walk.self, 0)));
  const Step step = walk.next();
  if (step.cut == Cut::none) return act(group, group.meta_group_rank(), walk);
  if (step.cut == Cut::dynamic) return in_coalesced<kDepth - 2>(cg::tiled_partition(group, step.size), walk);
  in_coalesced<kDepth - 2>(part(group, step, walk.self), walk);
}

__global__ void __launch_bounds__(kMaxThreads) run_cases(const Case* cases, std::uint64_t* results) {
  __shared__ unsigned exchange[kMaxThreads];
  const cg::thread_block block = cg::this_thread_block();
  const unsigned self = block.thread_rank();
  const Case* drawn = cases + blockIdx.x;
  const std::uint64_t thread = std::uint64_t(blockIdx.x) * block.size() + self;
  const Walk walk = {drawn, nullptr, results + thread * kSlots, exchange, self, 0};
  walk.tell(tell_place(block.size(), block.thread_rank(), 0, 1));
  const Step step = walk.next();
  switch (step.cut) {
    case Cut::none: return act(block, 0, walk);
    case Cut::tile: return in_tile_of_block(block, step.size, walk);
    case Cut::dynamic: return in_dynamic<kDepth - 1>(cg::tiled_partition(block, step.size), self / step.size, walk);
    default:
      if (label_bool(draw(step.seed, step.distinct, self))) return on_side(1, cg::coalesced_threads(), walk);
      return on_side(0, cg::coalesced_threads(), walk);
  }
}

}  // namespace random_groups
