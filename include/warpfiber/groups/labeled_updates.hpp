// SPDX-License-Identifier: Apache-2.0
// Scans of labelled groups and tiles of a cluster that begin with what an atomic holds and leave their total in it, an
// extension as those groups are. Called by all threads of the group, inside a kernel. Source for names and meaning:
// CUDA C++ Programming Guide, "Cooperative Groups", "inclusive_scan and exclusive_scan".
#pragma once

#include <warpfiber/groups/labeled_group.hpp>

namespace warpfiber {
namespace detail {

template <class T, class Op, class Bring>
struct UpdateCaller : DeliveryCaller<T, Op> {
  UpdateCaller(const T& brought, Op* with, const void* place, Bring* brings)
      : DeliveryCaller<T, Op>(brought, with, place), bring(brings) {}

  Bring* bring;  // hands the total to the target and returns what was there before
};

/// op(old, scan), in the order of ranks. One thread changes the target, so never in a rendezvous.
template <cgd::Form kForm, class T, class Op, class Bring>
struct UpdateWork {
  using Mine = UpdateCaller<T, Op, Bring>;
  static constexpr const char* kName = "a scan that updates memory";
  static constexpr bool kAtOnce = false;

  static void run(Caller& lowest) {
    FoldWork<cgd::Form::inclusive, T, Op>::run(lowest);
    auto& first = static_cast<Mine&>(lowest);
    Mine* last = &first;
    for (Caller* at = &lowest; at != nullptr; at = at->next) {
      last = static_cast<Mine*>(at);
      if (last->target != first.target) first.same_target = false;
    }
    if (!first.same_target) return;
    Op& op = *first.op;
    const T old = (*first.bring)(last->value);
    T below = old;
    for (Caller* at = &lowest; at != nullptr; at = at->next) {
      T& value = static_cast<Mine*>(at)->value;
      const T upto = op(old, value);
      value = kForm == cgd::Form::exclusive ? below : upto;
      below = upto;
    }
  }
};

template <cgd::Form kForm, class T, class Atomic, class Value, class Op>
inline T scan_updating(const Membership& group, Atomic& target, const Value& value, Op& op, Site site) {
  static_assert(std::is_same_v<T, Value> && std::is_same_v<T, cgd::Plain<decltype(op(value, value))>>,
                "the destination, the value and what the operator returns have to be of one type");
  static_assert(cgd::kCopiesBytewise<T>, "values of a reduction or scan have to be trivially copyable");
  auto bring = [&](const T& total) { return cgd::update(target, total, op, site); };
  using Work = UpdateWork<kForm, T, Op, decltype(bring)>;
  UpdateCaller<T, Op, decltype(bring)> mine(value, &op, cgd::place_of(target), &bring);
  call_members<Work>(group, mine, site);
  if (WARPFIBER_UNLIKELY(!mine.same_target)) {
    misuse(site, Work::kName, GroupMisuse::destinations_of_result_differ);
  }
  return mine.value;
}

}  // namespace detail

/// The atomic becomes op(old, reduction), relaxed, by one thread; each thread gets op(old, its inclusive scan). Without
/// an operator, plus.
template <detail::HasMembers Group, class T, class Value, ::cuda::thread_scope kScope, class Op>
inline T inclusive_scan_update(const Group& group, ::cuda::atomic<T, kScope>& target, Value&& value, Op&& op,
                               Site site = Site::here()) {
  return detail::scan_updating<detail::cgd::Form::inclusive, T>(group.membership(), target, value, op, site);
}
template <detail::HasMembers Group, class T, class Value, ::cuda::thread_scope kScope, class Op>
inline T inclusive_scan_update(const Group& group, const ::cuda::atomic_ref<T, kScope>& target, Value&& value, Op&& op,
                               Site site = Site::here()) {
  return detail::scan_updating<detail::cgd::Form::inclusive, T>(group.membership(), target, value, op, site);
}
template <detail::HasMembers Group, class T, class Value, ::cuda::thread_scope kScope>
inline T inclusive_scan_update(const Group& group, ::cuda::atomic<T, kScope>& target, Value&& value,
                               Site site = Site::here()) {
  return inclusive_scan_update(group, target, value, cooperative_groups::plus<T>(), site);
}
template <detail::HasMembers Group, class T, class Value, ::cuda::thread_scope kScope>
inline T inclusive_scan_update(const Group& group, const ::cuda::atomic_ref<T, kScope>& target, Value&& value,
                               Site site = Site::here()) {
  return inclusive_scan_update(group, target, value, cooperative_groups::plus<T>(), site);
}

/// The same with op(old, its exclusive scan); the lowest rank gets old.
template <detail::HasMembers Group, class T, class Value, ::cuda::thread_scope kScope, class Op>
inline T exclusive_scan_update(const Group& group, ::cuda::atomic<T, kScope>& target, Value&& value, Op&& op,
                               Site site = Site::here()) {
  return detail::scan_updating<detail::cgd::Form::exclusive, T>(group.membership(), target, value, op, site);
}
template <detail::HasMembers Group, class T, class Value, ::cuda::thread_scope kScope, class Op>
inline T exclusive_scan_update(const Group& group, const ::cuda::atomic_ref<T, kScope>& target, Value&& value, Op&& op,
                               Site site = Site::here()) {
  return detail::scan_updating<detail::cgd::Form::exclusive, T>(group.membership(), target, value, op, site);
}
template <detail::HasMembers Group, class T, class Value, ::cuda::thread_scope kScope>
inline T exclusive_scan_update(const Group& group, ::cuda::atomic<T, kScope>& target, Value&& value,
                               Site site = Site::here()) {
  return exclusive_scan_update(group, target, value, cooperative_groups::plus<T>(), site);
}
template <detail::HasMembers Group, class T, class Value, ::cuda::thread_scope kScope>
inline T exclusive_scan_update(const Group& group, const ::cuda::atomic_ref<T, kScope>& target, Value&& value,
                               Site site = Site::here()) {
  return exclusive_scan_update(group, target, value, cooperative_groups::plus<T>(), site);
}

}  // namespace warpfiber

// So that what is written for CUDA's groups takes these as well.
namespace cooperative_groups {
inline namespace __v1 {

using warpfiber::exclusive_scan_update;
using warpfiber::inclusive_scan_update;

}  // namespace __v1
}  // namespace cooperative_groups
