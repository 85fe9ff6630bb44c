// SPDX-License-Identifier: Apache-2.0
// warpfiber::labeled_group, an extension: any threads of a block, a cluster or a grid, ranked as in the group that they
// are a part of; and the collectives of such groups. Called inside a kernel. Source for names and meaning: CUDA C++
// Programming Guide, "Cooperative Groups", "Coalesced Groups".
#pragma once

#include <warpfiber/groups/atomic_update.hpp>
#include <warpfiber/groups/roll_call.hpp>

namespace warpfiber {
namespace detail {

struct SyncWork {
  static constexpr const char* kName = "group.sync()";
  static constexpr bool kAtOnce = true;
};

/// Waits for all threads of the group.
inline void sync_members(const Membership& group, Site site) {
  Caller mine;
  BlockCall call{part_of(group, SyncWork::kName, site), &mine};
  if (group.elsewhere == nullptr) return meet(group.here, kBlockRelease<SyncWork>, &call);
  meet(group.here, kBlockCall<SyncWork, false>, &call);
  if (mine.leads) meet_blocks(*group.elsewhere, &kBlockRelease<SyncWork>, SyncWork::kName, site);
  BlockCall again{part_of(group, SyncWork::kName, site), &mine};
  meet(group.here, kBlockRelease<SyncWork>, &again);
}

template <class T>
struct ShuffleCaller : Caller {
  ShuffleCaller(const T& value, unsigned long long own_rank, unsigned long long asked)
      : brought(value), taken(value), rank(own_rank), source(asked) {}

  const T brought;
  T taken;
  const unsigned long long rank;
  const unsigned long long source;
  ShuffleCaller* link = nullptr;
};

template <class T>
struct ShuffleWork {
  using Mine = ShuffleCaller<T>;
  static constexpr const char* kName = "group.shfl()";
  static constexpr bool kAtOnce = true;

  static void run(Caller& lowest) {
    auto* from = &static_cast<Mine&>(lowest);
    for (Mine* at = from; at != nullptr; at = at->link) at->link = static_cast<Mine*>(at->next);
    Mine* to = sorted_chain<&Mine::link>(from, [](const Mine& a, const Mine& b) { return a.source < b.source; });
    for (; to != nullptr; to = to->link) {
      while (from->rank < to->source && from->next != nullptr) from = static_cast<Mine*>(from->next);
      if (from->rank == to->source) to->taken = from->brought;
    }
  }
};

template <class T, class Op>
struct FoldCaller : Caller {
  FoldCaller(const T& brought, Op* with) : value(brought), op(with) {}

  T value;  // out: the result
  Op* op;
};

/// Combines in the order of ranks: op(op(v0, v1), v2) …
template <cgd::Form kForm, class T, class Op>
struct FoldWork {
  using Mine = FoldCaller<T, Op>;
  static constexpr const char* kName = cgd::name_of(kForm);
  static constexpr bool kAtOnce = cgd::kKnown<T, std::remove_const_t<Op>>;

  static void run(Caller& lowest) {
    Op& op = *static_cast<Mine&>(lowest).op;
    T total = static_cast<Mine&>(lowest).value;
    if constexpr (kForm == cgd::Form::exclusive) static_cast<Mine&>(lowest).value = T{};
    for (Caller* at = lowest.next; at != nullptr; at = at->next) {
      T& value = static_cast<Mine*>(at)->value;
      const T below = total;
      total = op(below, value);
      value = kForm == cgd::Form::exclusive ? below : total;
    }
    if constexpr (kForm == cgd::Form::reduction) {
      for (Caller* at = &lowest; at != nullptr; at = at->next) static_cast<Mine*>(at)->value = total;
    }
  }
};

template <cgd::Form kForm, class T, class Op>
inline T folded(const Membership& group, const T& value, Op& op, Site site) {
  static_assert(std::is_same_v<T, cgd::Plain<decltype(op(value, value))>>,
                "the operator has to return the type of the value that is reduced or scanned");
  static_assert(cgd::kCopiesBytewise<T>, "values of a reduction or scan have to be trivially copyable");
  FoldCaller<T, Op> mine(value, &op);
  call_members<FoldWork<kForm, T, Op>>(group, mine, site);
  return mine.value;
}

/// A reduction whose result one of the threads stores to `target`, the same for all.
template <class T, class Op>
struct DeliveryCaller : FoldCaller<T, Op> {
  DeliveryCaller(const T& brought, Op* with, const void* place) : FoldCaller<T, Op>(brought, with), target(place) {}

  const void* target;
  bool delivers = false;    // out
  bool same_target = true;  // out: all name the same target
};

template <class T, class Op>
struct DeliveryWork {
  using Mine = DeliveryCaller<T, Op>;
  using Fold = FoldWork<cgd::Form::reduction, T, Op>;
  static constexpr const char* kName = "a reduction into memory";
  static constexpr bool kAtOnce = Fold::kAtOnce;

  static void run(Caller& lowest) {
    Fold::run(lowest);
    Mine& first = static_cast<Mine&>(lowest);
    first.delivers = true;
    for (Caller* at = &lowest; at != nullptr; at = at->next) {
      if (static_cast<Mine*>(at)->target != first.target) first.same_target = false;
    }
  }
};

/// Calls take(reduction) in one thread, which stores it to `target`.
template <class T, class Value, class Op, class Take>
inline void deliver(const Membership& group, const void* target, const Value& value, Op& op, Take take, Site site) {
  static_assert(std::is_same_v<T, Value> && std::is_same_v<T, cgd::Plain<decltype(op(value, value))>>,
                "the destination, the value and what the operator returns have to be of one type");
  DeliveryCaller<T, Op> mine(value, &op, target);
  call_members<DeliveryWork<T, Op>>(group, mine, site);
  if (!mine.delivers) return;
  if (WARPFIBER_UNLIKELY(!mine.same_target)) {
    misuse(site, DeliveryWork<T, Op>::kName, GroupMisuse::destinations_of_result_differ);
  }
  take(mine.value);
}

/// What groups have in common whose members are known by a list. Copies are the same group, in the same thread.
class MemberGroup {
 public:
  unsigned long long size() const { return membership_.size; }
  unsigned long long num_threads() const { return membership_.size; }
  /// Rank of the calling thread, from 0: members keep the order that they have in the parent group.
  unsigned long long thread_rank() const { return membership_.rank; }
  /// Rank of this group among those that the partition made of their parent.
  unsigned long long meta_group_rank() const { return membership_.meta_rank; }
  unsigned long long meta_group_size() const { return membership_.meta_size; }

  /// Waits for all threads of the group. Those that have returned are not waited for in a block where others of the
  /// group are left; a block of which all have returned is waited for in vain, and the launch ends with `cg-misuse`.
  void sync(Site site = Site::here()) const { sync_members(membership_, site); }

  /// The value of the thread of rank `source`; the caller's own if that has returned. A rank that the group does not
  /// have ends the launch with `cg-misuse`. Values are of any trivially copyable type.
  template <class T>
  T shfl(const T& value, unsigned long long source, Site site = Site::here()) const {
    static_assert(std::is_trivially_copyable_v<T>, "shuffles take trivially copyable types");
    if (WARPFIBER_UNLIKELY(source >= membership_.size)) {
      misuse(site, "group.shfl()", GroupMisuse::source_not_in_group);
    }
    ShuffleCaller<T> mine(value, membership_.rank, source);
    call_members<ShuffleWork<T>>(membership_, mine, site);
    return mine.taken;
  }

  /// For collectives.
  const Membership& membership() const { return membership_; }

 protected:
  explicit MemberGroup(const Membership& membership) : membership_(membership) {}

 private:
  Membership membership_;
};

template <class Group>
concept HasMembers = std::is_base_of_v<MemberGroup, Group>;

}  // namespace detail

/// The threads of a group whose label is the caller's. Made by labeled_partition() and binary_partition().
class labeled_group : public detail::MemberGroup {
 private:
  explicit labeled_group(const detail::Membership& membership) : MemberGroup(membership) {}

  friend struct PartitionAccess;
};

/// What `op` makes of the values of all threads of a labeled_group or cluster_tile, for each of them: op(op(v0, v1),
/// v2) and so on, in the order of ranks, unlike cg::reduce(). If the operator is none of CUDA's or the standard's, it
/// is called by one thread for all, and must not wait for others. Values are of any trivially copyable type.
template <detail::HasMembers Group, class Value, class Op>
inline detail::cgd::Plain<Value> reduce(const Group& group, Value&& value, Op&& op, Site site = Site::here()) {
  return detail::folded<detail::cgd::Form::reduction, detail::cgd::Plain<Value>>(group.membership(), value, op, site);
}

/// What it makes of the values of the threads up to the caller.
template <detail::HasMembers Group, class Value, class Op>
inline detail::cgd::Plain<Value> inclusive_scan(const Group& group, Value&& value, Op&& op, Site site = Site::here()) {
  return detail::folded<detail::cgd::Form::inclusive, detail::cgd::Plain<Value>>(group.membership(), value, op, site);
}

template <detail::HasMembers Group, class Value>
inline detail::cgd::Plain<Value> inclusive_scan(const Group& group, Value&& value, Site site = Site::here()) {
  cooperative_groups::plus<detail::cgd::Plain<Value>> op;
  return inclusive_scan(group, value, op, site);
}

/// What it makes of the values of the threads below the caller; T{} for rank 0. Without an operator, as above, plus.
template <detail::HasMembers Group, class Value, class Op>
inline detail::cgd::Plain<Value> exclusive_scan(const Group& group, Value&& value, Op&& op, Site site = Site::here()) {
  return detail::folded<detail::cgd::Form::exclusive, detail::cgd::Plain<Value>>(group.membership(), value, op, site);
}
template <detail::HasMembers Group, class Value>
inline detail::cgd::Plain<Value> exclusive_scan(const Group& group, Value&& value, Site site = Site::here()) {
  cooperative_groups::plus<detail::cgd::Plain<Value>> op;
  return exclusive_scan(group, value, op, site);
}

/// The atomic becomes op(old, reduction), relaxed, by one thread. Others see it after the group has synchronised.
template <detail::HasMembers Group, class T, ::cuda::thread_scope kScope, class Value, class Op>
inline void reduce_update_async(const Group& group, ::cuda::atomic<T, kScope>& target, Value&& value, Op&& op,
                                Site site = Site::here()) {
  detail::deliver<T>(
      group.membership(), detail::cgd::place_of(target), value, op,
      [&](const T& result) { detail::cgd::update(target, result, op, site); }, site);
}
template <detail::HasMembers Group, class T, ::cuda::thread_scope kScope, class Value, class Op>
inline void reduce_update_async(const Group& group, const ::cuda::atomic_ref<T, kScope>& target, Value&& value, Op&& op,
                                Site site = Site::here()) {
  detail::deliver<T>(
      group.membership(), detail::cgd::place_of(target), value, op,
      [&](const T& result) { detail::cgd::update(target, result, op, site); }, site);
}

/// One thread stores the reduction, relaxed where the target is atomic. Others see it after the group has synchronised.
template <detail::HasMembers Group, class T, ::cuda::thread_scope kScope, class Value, class Op>
inline void reduce_store_async(const Group& group, ::cuda::atomic<T, kScope>& target, Value&& value, Op&& op,
                               Site site = Site::here()) {
  detail::deliver<T>(
      group.membership(), detail::cgd::place_of(target), value, op,
      [&](const T& result) { target.store(result, ::std::memory_order_relaxed, site); }, site);
}
template <detail::HasMembers Group, class T, ::cuda::thread_scope kScope, class Value, class Op>
inline void reduce_store_async(const Group& group, const ::cuda::atomic_ref<T, kScope>& target, Value&& value, Op&& op,
                               Site site = Site::here()) {
  detail::deliver<T>(
      group.membership(), detail::cgd::place_of(target), value, op,
      [&](const T& result) { target.store(result, ::std::memory_order_relaxed, site); }, site);
}
template <detail::HasMembers Group, class T, class Value, class Op>
inline void reduce_store_async(const Group& group, T* target, Value&& value, Op&& op, Site site = Site::here()) {
  detail::deliver<T>(
      group.membership(), target, value, op, [&](const T& result) { *target = result; }, site);
}

}  // namespace warpfiber

// So that what is written for CUDA's groups takes these as well.
namespace cooperative_groups {
inline namespace __v1 {

using warpfiber::exclusive_scan;
using warpfiber::inclusive_scan;
using warpfiber::reduce;
using warpfiber::reduce_store_async;
using warpfiber::reduce_update_async;

}  // namespace __v1
}  // namespace cooperative_groups
