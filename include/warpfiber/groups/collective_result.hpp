// SPDX-License-Identifier: Apache-2.0
// One reduction or scan for every kind of group: which of lane_values.hpp, block_values.hpp and wide_values.hpp it is.
#pragma once

#include <warpfiber/groups/lane_values.hpp>
#include <warpfiber/groups/wide_values.hpp>

namespace cooperative_groups {
inline namespace __v1 {
namespace details {

/// Calls `then` with what stands for `group`: itself, if it is a tile or a coalesced group, or fits a warp; WholeBlock,
/// BlocksOfCluster or BlocksOfGrid.
template <class Group, class Then>
inline WARPFIBER_INLINED auto with_group(const Group& group, Then&& then) {
  if constexpr (std::is_same_v<Group, thread_block>) {
    return then(WholeBlock());
  } else if constexpr (std::is_same_v<Group, cluster_group>) {
    return then(BlocksOfCluster());
  } else if constexpr (std::is_same_v<Group, grid_group>) {
    return then(BlocksOfGrid());
  } else if constexpr (std::is_same_v<Group, thread_group>) {
    switch (group.get_type()) {
      case thread_block_id: return then(WholeBlock());
      case cluster_group_id: return then(BlocksOfCluster());
      case grid_group_id: return then(BlocksOfGrid());
      default: return then(group);
    }
  } else {
    return then(group);
  }
}

template <class Group>
inline constexpr bool kIsBlocks = std::is_same_v<Group, BlocksOfCluster> || std::is_same_v<Group, BlocksOfGrid>;
template <class Group>
inline constexpr bool kLiesInBlock = kLargeTile<Group> || std::is_same_v<Group, WholeBlock>;

/// The caller's result.
template <Form kForm, class Group, class T, class Op>
inline WARPFIBER_INLINED T collective_result(const Group& group, const T& value, Op& op, Site site) {
  return with_group(group, [&]<class Known>(const Known& known) WARPFIBER_INLINED {
    if constexpr (kIsBlocks<Known>) {
      return wide_result<kForm>(known, value, op, site);
    } else if constexpr (kLiesInBlock<Known>) {
      return block_result<kForm>(known, value, op, site);
    } else {
      return lane_result<kForm>(known, value, op, site);
    }
  });
}

/// Calls bring(total) in one thread and returns the caller's scan on top of what that returns.
template <Form kForm, class Group, class T, class Op, class Bring>
inline T scan_update(const Group& group, const T& value, Op& op, Bring bring, Site site) {
  return with_group(group, [&]<class Known>(const Known& known) {
    if constexpr (kIsBlocks<Known>) {
      return wide_scan_update<kForm>(known, value, op, bring, site);
    } else if constexpr (kLiesInBlock<Known>) {
      const BlockOutcome<T> outcome = block_outcome<kForm>(known, value, op, site);
      const bool last = outcome.place.is_last();
      const T old = taken_in_block(last, known, last ? bring(outcome.total) : value, site);
      return result_above_base<kForm>(outcome, &old, op);
    } else {
      const LaneOutcome<T> outcome = placed_result<kForm>(known, value, op, site);
      const bool last = outcome.place.is_last();
      const T old = taken_from(last, known, last ? bring(outcome.place.total) : value, site);
      return T(op(old, outcome.value));
    }
  });
}

/// Calls take(result) in one thread.
template <class Group, class T, class Op, class Take>
inline void reduce_to(const Group& group, const T& value, Op& op, Take take, Site site) {
  with_group(group, [&]<class Known>(const Known& known) {
    if constexpr (kIsBlocks<Known>) {
      wide_reduce_to(known, value, op, take, site);
    } else if constexpr (kLiesInBlock<Known>) {
      const BlockOutcome<T> outcome = block_outcome<Form::reduction>(known, value, op, site);
      if (outcome.place.is_first()) take(outcome.own);
    } else {
      const LaneOutcome<T> outcome = placed_result<Form::reduction>(known, value, op, site);
      if (outcome.place.is_first()) take(outcome.value);
    }
  });
}

}  // namespace details
}  // namespace __v1
}  // namespace cooperative_groups
