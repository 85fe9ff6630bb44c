// SPDX-License-Identifier: Apache-2.0
// cooperative_groups::inclusive_scan, exclusive_scan and the scans on top of an atomic. Called by every thread of the
// group, inside a kernel, at the same place. Groups, values and rounding as in reduce.hpp; without an operator, plus.
// Source: CUDA C++ Programming Guide, "Cooperative Groups", "inclusive_scan and exclusive_scan".
#pragma once

#include <warpfiber/groups/atomic_update.hpp>
#include <warpfiber/groups/collective_result.hpp>

namespace cooperative_groups {
inline namespace __v1 {
namespace details {

template <Form kForm, class Group, class Value, class Op>
inline WARPFIBER_INLINED Plain<Value> scan(const Group& group, Value& value, Op& op, Site site) {
  check_collective<Group, Plain<Value>, decltype(op(value, value))>();
  check_scan<Plain<Value>>();
  if constexpr (kReducible<Group>) return collective_result<kForm, Group, Plain<Value>>(group, value, op, site);
}

template <Form kForm, class T, class Group, class Atomic, class Value, class Op>
inline T updating_scan(const Group& group, Atomic& target, Value& value, Op& op, Site site) {
  check_collective<Group, Plain<Value>, decltype(op(value, value))>();
  check_scan<Plain<Value>>();
  check_target<T, Value>();
  if constexpr (kReducible<Group>) {
    note_target(group, place_of(target), site);
    return scan_update<kForm, Group, T>(
        group, value, op, [&](const T& total) { return update(target, total, op, site); }, site);
  }
}

}  // namespace details

/// What `op` makes of the values of the threads of `group` up to the caller's rank.
template <class Group, class Value, class Op>
inline WARPFIBER_INLINED auto inclusive_scan(const Group& group, Value&& value, Op&& op,
                                             warpfiber::Site site = warpfiber::Site::here())
    -> details::Plain<decltype(op(value, value))> {
  return details::scan<details::Form::inclusive>(group, value, op, site);
}

template <class Group, class Value>
inline WARPFIBER_INLINED details::Plain<Value> inclusive_scan(const Group& group, Value&& value,
                                                              warpfiber::Site site = warpfiber::Site::here()) {
  plus<details::Plain<Value>> op;
  return details::scan<details::Form::inclusive>(group, value, op, site);
}

/// What `op` makes of the values of the threads of `group` below the caller's rank; T{} at rank 0, whatever the
/// operator.
template <class Group, class Value, class Op>
inline WARPFIBER_INLINED auto exclusive_scan(const Group& group, Value&& value, Op&& op,
                                             warpfiber::Site site = warpfiber::Site::here())
    -> details::Plain<decltype(op(value, value))> {
  return details::scan<details::Form::exclusive>(group, value, op, site);
}

template <class Group, class Value>
inline WARPFIBER_INLINED details::Plain<Value> exclusive_scan(const Group& group, Value&& value,
                                                              warpfiber::Site site = warpfiber::Site::here()) {
  plus<details::Plain<Value>> op;
  return details::scan<details::Form::exclusive>(group, value, op, site);
}

/// The atomic becomes op(old, reduction), relaxed, by one thread; each thread gets op(old, its inclusive scan).
template <class Group, class T, class Value, ::cuda::thread_scope kScope, class Op>
inline auto inclusive_scan_update(const Group& group, ::cuda::atomic<T, kScope>& target, Value&& value, Op&& op,
                                  warpfiber::Site site = warpfiber::Site::here())
    -> details::Plain<decltype(op(value, value))> {
  return details::updating_scan<details::Form::inclusive, T>(group, target, value, op, site);
}

template <class Group, class T, class Value, ::cuda::thread_scope kScope>
inline T inclusive_scan_update(const Group& group, ::cuda::atomic<T, kScope>& target, Value&& value,
                               warpfiber::Site site = warpfiber::Site::here()) {
  plus<T> op;
  return details::updating_scan<details::Form::inclusive, T>(group, target, value, op, site);
}

template <class Group, class T, class Value, ::cuda::thread_scope kScope, class Op>
inline auto inclusive_scan_update(const Group& group, const ::cuda::atomic_ref<T, kScope>& target, Value&& value,
                                  Op&& op, warpfiber::Site site = warpfiber::Site::here())
    -> details::Plain<decltype(op(value, value))> {
  return details::updating_scan<details::Form::inclusive, T>(group, target, value, op, site);
}

template <class Group, class T, class Value, ::cuda::thread_scope kScope>
inline T inclusive_scan_update(const Group& group, const ::cuda::atomic_ref<T, kScope>& target, Value&& value,
                               warpfiber::Site site = warpfiber::Site::here()) {
  plus<T> op;
  return details::updating_scan<details::Form::inclusive, T>(group, target, value, op, site);
}

/// The atomic becomes op(old, reduction), relaxed, by one thread; each thread gets op(old, its exclusive scan). In
/// groups above 32 threads rank 0 gets old.
template <class Group, class T, class Value, ::cuda::thread_scope kScope, class Op>
inline auto exclusive_scan_update(const Group& group, ::cuda::atomic<T, kScope>& target, Value&& value, Op&& op,
                                  warpfiber::Site site = warpfiber::Site::here())
    -> details::Plain<decltype(op(value, value))> {
  return details::updating_scan<details::Form::exclusive, T>(group, target, value, op, site);
}

template <class Group, class T, class Value, ::cuda::thread_scope kScope>
inline T exclusive_scan_update(const Group& group, ::cuda::atomic<T, kScope>& target, Value&& value,
                               warpfiber::Site site = warpfiber::Site::here()) {
  plus<T> op;
  return details::updating_scan<details::Form::exclusive, T>(group, target, value, op, site);
}

template <class Group, class T, class Value, ::cuda::thread_scope kScope, class Op>
inline auto exclusive_scan_update(const Group& group, const ::cuda::atomic_ref<T, kScope>& target, Value&& value,
                                  Op&& op, warpfiber::Site site = warpfiber::Site::here())
    -> details::Plain<decltype(op(value, value))> {
  return details::updating_scan<details::Form::exclusive, T>(group, target, value, op, site);
}

template <class Group, class T, class Value, ::cuda::thread_scope kScope>
inline T exclusive_scan_update(const Group& group, const ::cuda::atomic_ref<T, kScope>& target, Value&& value,
                               warpfiber::Site site = warpfiber::Site::here()) {
  plus<T> op;
  return details::updating_scan<details::Form::exclusive, T>(group, target, value, op, site);
}

}  // namespace __v1
}  // namespace cooperative_groups
