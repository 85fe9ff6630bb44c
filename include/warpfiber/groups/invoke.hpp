// SPDX-License-Identifier: Apache-2.0
// invoke_one(): one thread of a group calls a function. invoke_one_broadcast(): and all get its result.
// Source: CUDA C++ Programming Guide, "invoke_one and invoke_one_broadcast"; CUDA 13.0's headers.
#pragma once

#include <warpfiber/groups/partition.hpp>

#include <utility>

namespace cooperative_groups {
inline namespace __v1 {
namespace details {

/// The lane that acts for the others. They synchronise, as at the device's elect.sync.
template <class Group>
unsigned elect(const Group& group, Site site) {
  warpfiber::detail::ElectArgument argument{{{site}}, 0};
  warp_collective(warpfiber::detail::kCollectiveOf<Operation::invoke_one>, group, &argument);
  return argument.leader;
}

template <class Function, class... Arguments>
using ResultOf = std::remove_reference_t<decltype(std::declval<Function>()(std::declval<Arguments>()...))>;

template <class Group, class Call>
void invoke(const Group& group, Call&& call, Site site) {
  if constexpr (kFitsWarp<Group>) {
    if (elect(group, site) == block::lane()) call();
  } else {
    if (group.thread_rank() == 0) call();
  }
}

template <class Result, class Group, class Call>
std::remove_cv_t<Result> broadcast(const Group& group, Call&& call, Site site) {
  static_assert(!std::is_void_v<Result>, "the function returns nothing to broadcast: use invoke_one()");
  using Value = std::remove_cv_t<Result>;
  Value result{};
  if constexpr (kFitsWarp<Group>) {
    const unsigned leader = elect(group, site);
    if (leader == block::lane()) result = call();
    return shuffle<Formula::index, Value>(lane_mask_of(group), result, static_cast<int>(leader),
                                          warpfiber::detail::kWholeWarp, {{site}, origin_of(group)});
  } else {
    if (group.thread_rank() == 0) result = call();
    return group.shfl(result, 0, site);
  }
}

template <class Group, class Function, class... Arguments>
auto call_and_broadcast(const Group& group, Site site, Function&& function, Arguments&&... arguments)
    -> ResultOf<Function, Arguments...> {
  return broadcast<ResultOf<Function, Arguments...>>(
      group,
      [&]() -> decltype(auto) { return std::forward<Function>(function)(std::forward<Arguments>(arguments)...); },
      site);
}

}  // namespace details

// The place of a call is the last argument, by default, which no function with a pack can have: up to two
// arguments of the function are spelled out, and reports on calls with more do not name their line.

/// Calls `function(arguments...)` in one thread of `group`: of a tile of up to 32 or a coalesced group in any one,
/// after all of them have arrived, of other groups in rank 0, without waiting.
template <class Group, class Function>
void invoke_one(const Group& group, Function&& function, warpfiber::Site site = warpfiber::Site::here()) {
  details::invoke(
      group, [&] { std::forward<Function>(function)(); }, site);
}
template <class Group, class Function, class First>
void invoke_one(const Group& group, Function&& function, First&& first,
                warpfiber::Site site = warpfiber::Site::here()) {
  details::invoke(
      group, [&] { std::forward<Function>(function)(std::forward<First>(first)); }, site);
}
template <class Group, class Function, class First, class Second>
void invoke_one(const Group& group, Function&& function, First&& first, Second&& second,
                warpfiber::Site site = warpfiber::Site::here()) {
  details::invoke(
      group, [&] { std::forward<Function>(function)(std::forward<First>(first), std::forward<Second>(second)); }, site);
}
template <class Group, class Function, class... Arguments>
requires(sizeof...(Arguments) > 2) void invoke_one(const Group& group, Function&& function, Arguments&&... arguments) {
  details::invoke(group, [&] { std::forward<Function>(function)(std::forward<Arguments>(arguments)...); }, {});
}

/// The same for a tile or a coalesced group, all of whose threads get the result: of a type that is default
/// constructible and trivially copyable, of up to 32 bytes, 8 for tiles above 32.
template <class Function>
auto invoke_one_broadcast(const coalesced_group& group, Function&& function,
                          warpfiber::Site site = warpfiber::Site::here()) -> details::ResultOf<Function> {
  return details::call_and_broadcast(group, site, std::forward<Function>(function));
}
template <class Function, class First>
auto invoke_one_broadcast(const coalesced_group& group, Function&& function, First&& first,
                          warpfiber::Site site = warpfiber::Site::here()) -> details::ResultOf<Function, First> {
  return details::call_and_broadcast(group, site, std::forward<Function>(function), std::forward<First>(first));
}
template <class Function, class First, class Second>
auto invoke_one_broadcast(const coalesced_group& group, Function&& function, First&& first, Second&& second,
                          warpfiber::Site site = warpfiber::Site::here())
    -> details::ResultOf<Function, First, Second> {
  return details::call_and_broadcast(group, site, std::forward<Function>(function), std::forward<First>(first),
                                     std::forward<Second>(second));
}
template <class Function, class... Arguments>
requires(sizeof...(Arguments) > 2) auto invoke_one_broadcast(const coalesced_group& group, Function&& function,
                                                             Arguments&&... arguments)
    -> details::ResultOf<Function, Arguments...> {
  return details::call_and_broadcast(group, {}, std::forward<Function>(function),
                                     std::forward<Arguments>(arguments)...);
}

template <unsigned Size, class Parent, class Function>
auto invoke_one_broadcast(const thread_block_tile<Size, Parent>& group, Function&& function,
                          warpfiber::Site site = warpfiber::Site::here()) -> details::ResultOf<Function> {
  return details::call_and_broadcast(group, site, std::forward<Function>(function));
}
template <unsigned Size, class Parent, class Function, class First>
auto invoke_one_broadcast(const thread_block_tile<Size, Parent>& group, Function&& function, First&& first,
                          warpfiber::Site site = warpfiber::Site::here()) -> details::ResultOf<Function, First> {
  return details::call_and_broadcast(group, site, std::forward<Function>(function), std::forward<First>(first));
}
template <unsigned Size, class Parent, class Function, class First, class Second>
auto invoke_one_broadcast(const thread_block_tile<Size, Parent>& group, Function&& function, First&& first,
                          Second&& second, warpfiber::Site site = warpfiber::Site::here())
    -> details::ResultOf<Function, First, Second> {
  return details::call_and_broadcast(group, site, std::forward<Function>(function), std::forward<First>(first),
                                     std::forward<Second>(second));
}
template <unsigned Size, class Parent, class Function, class... Arguments>
requires(sizeof...(Arguments) > 2) auto invoke_one_broadcast(const thread_block_tile<Size, Parent>& group,
                                                             Function&& function, Arguments&&... arguments)
    -> details::ResultOf<Function, Arguments...> {
  return details::call_and_broadcast(group, {}, std::forward<Function>(function),
                                     std::forward<Arguments>(arguments)...);
}

}  // namespace __v1
}  // namespace cooperative_groups
