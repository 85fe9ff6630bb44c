// SPDX-License-Identifier: Apache-2.0
// How one thread of a group brings the group's result into a cuda::atomic or what a cuda::atomic_ref refers to:
// relaxed, with the atomic's own operation where there is one. Called by one thread, outside any rendezvous.
#pragma once

#include <warpfiber/cuda/atomic.hpp>
#include <warpfiber/groups/known_operators.hpp>
#include <warpfiber/groups/uniform.hpp>

#include <atomic>

namespace cooperative_groups {
inline namespace __v1 {
namespace details {

using warpfiber::Site;

/// What an atomic holds, or what a reference to one names.
template <class Atomic>
inline const void* place_of(const Atomic& atomic) {
  return warpfiber::cuda::AtomicPlace::of(atomic);
}

/// All threads of the group have to name the same destination; one of them writes it.
template <class Group>
inline void note_target(const Group& group, const void* place, Site site) {
  note_uniform_call(group, {warpfiber::detail::UniformCall::update, site, place});
}

/// CUDA's headers look at their own functors only, and at integers of 4 and 8 bytes.
template <class T, class Op>
inline constexpr bool kHasAtomic = false;
template <class T, template <class> class Op>
inline constexpr bool kHasAtomic<T, Op<T>> = std::is_integral_v<T> && (sizeof(T) == 4 || sizeof(T) == 8) &&
                                             (std::is_same_v<Op<T>, plus<T>> || std::is_same_v<Op<T>, less<T>> ||
                                              std::is_same_v<Op<T>, greater<T>> || std::is_same_v<Op<T>, bit_and<T>> ||
                                              std::is_same_v<Op<T>, bit_or<T>> || std::is_same_v<Op<T>, bit_xor<T>>);

template <class Atomic, class T, class Op>
inline T update_by(Atomic& atomic, const T& value, Op& op, Site site) {
  T old = atomic.load(::std::memory_order_relaxed, site);
  while (!atomic.compare_exchange_weak(old, op(old, value), ::std::memory_order_relaxed, site)) {
  }
  return old;
}

/// The atomic becomes op(old, value); returns old. `site` is where the user asked for it.
template <class Atomic, class T, class Op>
inline T update(Atomic& atomic, const T& value, Op& op, Site site) {
  using Functor = std::remove_const_t<Op>;
  constexpr auto kRelaxed = ::std::memory_order_relaxed;
  constexpr Known kOperation = details::kOperation<Functor>;
  if constexpr (!kHasAtomic<T, Functor>) {
    return update_by(atomic, value, op, site);
  } else if constexpr (kOperation == Known::sum) {
    return atomic.fetch_add(value, kRelaxed, site);
  } else if constexpr (kOperation == Known::smallest) {
    return atomic.fetch_min(value, kRelaxed, site);
  } else if constexpr (kOperation == Known::largest) {
    return atomic.fetch_max(value, kRelaxed, site);
  } else if constexpr (kOperation == Known::conjunction) {
    return atomic.fetch_and(value, kRelaxed, site);
  } else if constexpr (kOperation == Known::disjunction) {
    return atomic.fetch_or(value, kRelaxed, site);
  } else {
    return atomic.fetch_xor(value, kRelaxed, site);
  }
}

}  // namespace details
}  // namespace __v1
}  // namespace cooperative_groups
