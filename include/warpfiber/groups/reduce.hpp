// SPDX-License-Identifier: Apache-2.0
// cooperative_groups::reduce and its forms that store the result to memory. Called by every thread of the group, inside
// a kernel, at the same place; threads that have returned are left out. Values: arithmetic types, half precision, and
// other trivially copyable types of up to 32 bytes (8 in tiles above 32 threads). Operators: anything that two values
// can be given to and that returns a value of their type. Rounding is as on a device, because the order of evaluation
// is that of CUDA 13.0's headers (evaluate.hpp). Source: CUDA C++ Programming Guide, "Cooperative Groups",
// "reduce".
#pragma once

#include <warpfiber/groups/atomic_update.hpp>
#include <warpfiber/groups/collective_result.hpp>

namespace cooperative_groups {
inline namespace __v1 {

namespace details {

/// Brings the reduction of `value` to `take` in one thread, which brings it to `place`.
template <class T, class Group, class Value, class Op, class Take>
inline void reduce_async(const Group& group, const void* place, const Value& value, Op& op, Take take, Site site) {
  check_collective<Group, Value, decltype(op(value, value))>();
  check_operator<Value, Op>();
  check_target<T, Value>();
  if constexpr (kReducible<Group>) {
    note_target(group, place, site);
    reduce_to<Group, T>(group, value, op, take, site);
  }
}

}  // namespace details

/// What `op` makes of the values of all threads of `group`, for each of them. Of coalesced groups and tiles; unless
/// WARPFIBER_STRICT_CUDA is defined, of every group, of a grid in cooperative launches only.
/// An operator that is not commutative gives a tile's threads different results; above 32 threads, of each 32 that of
/// the first counts.
template <class Group, class Value, class Op>
inline WARPFIBER_INLINED auto reduce(const Group& group, Value&& value, Op&& op,
                                     warpfiber::Site site = warpfiber::Site::here())
    -> details::Plain<decltype(op(value, value))> {
  using T = details::Plain<Value>;
  details::check_collective<Group, T, decltype(op(value, value))>();
  details::check_operator<T, std::remove_reference_t<Op>>();
  if constexpr (details::kReducible<Group>) {
    return details::collective_result<details::Form::reduction, Group, T>(group, value, op, site);
  }
}

/// The atomic becomes op(old, reduction), relaxed, by one thread. Others see it after the group has synchronised.
template <class Group, class T, ::cuda::thread_scope kScope, class Value, class Op>
inline void reduce_update_async(const Group& group, ::cuda::atomic<T, kScope>& target, Value&& value, Op&& op,
                                warpfiber::Site site = warpfiber::Site::here()) {
  details::reduce_async<T>(
      group, details::place_of(target), value, op, [&](const T& result) { details::update(target, result, op, site); },
      site);
}

template <class Group, class T, ::cuda::thread_scope kScope, class Value, class Op>
inline void reduce_update_async(const Group& group, const ::cuda::atomic_ref<T, kScope>& target, Value&& value, Op&& op,
                                warpfiber::Site site = warpfiber::Site::here()) {
  details::reduce_async<T>(
      group, details::place_of(target), value, op, [&](const T& result) { details::update(target, result, op, site); },
      site);
}

/// Stores the reduction by one thread, relaxed where the target is atomic. Others see it after the group has
/// synchronised.
template <class Group, class T, ::cuda::thread_scope kScope, class Value, class Op>
inline void reduce_store_async(const Group& group, ::cuda::atomic<T, kScope>& target, Value&& value, Op&& op,
                               warpfiber::Site site = warpfiber::Site::here()) {
  details::reduce_async<T>(
      group, details::place_of(target), value, op,
      [&](const T& result) { target.store(result, ::std::memory_order_relaxed, site); }, site);
}

template <class Group, class T, ::cuda::thread_scope kScope, class Value, class Op>
inline void reduce_store_async(const Group& group, const ::cuda::atomic_ref<T, kScope>& target, Value&& value, Op&& op,
                               warpfiber::Site site = warpfiber::Site::here()) {
  details::reduce_async<T>(
      group, details::place_of(target), value, op,
      [&](const T& result) { target.store(result, ::std::memory_order_relaxed, site); }, site);
}

template <class Group, class T, class Value, class Op>
inline void reduce_store_async(const Group& group, T* target, Value&& value, Op&& op,
                               warpfiber::Site site = warpfiber::Site::here()) {
  details::reduce_async<T>(
      group, target, value, op, [&](const T& result) { *target = result; }, site);
}

}  // namespace __v1
}  // namespace cooperative_groups
