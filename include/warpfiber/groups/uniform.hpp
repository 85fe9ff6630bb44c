// SPDX-License-Identifier: Apache-2.0
// Calls that have to be the same in all threads of a group, though they do not wait for each other or say nothing of
// their arguments when they do: copies, waits for them, and destinations of results.
#pragma once

#include <warpfiber/groups/coalesced_group.hpp>
#include <warpfiber/groups/large_tile.hpp>

namespace cooperative_groups {
inline namespace __v1 {
namespace details {

/// Threads of a static tile; 0 for other groups.
template <class Group>
inline constexpr unsigned kTileSize = 0;
template <unsigned kSize, class Parent>
inline constexpr unsigned kTileSize<thread_block_tile<kSize, Parent>> = kSize;

/// The engine's name for lanes, of which there are several.
inline void note_uniform_lanes(LaneBits lanes, const warpfiber::detail::UniformNote& note) {
  if ((lanes & (lanes - 1)) != 0) warpfiber::detail::note_uniform_call({.tile = 0, .lanes = lanes}, note);
}

/// Notifies the engine of a call that is to be the same in all threads of `group`. Of clusters, grids and threads alone
/// it is not notified. libcu++'s copies, which know no groups, find it next to the group.
template <class Group>
void note_uniform_call(const Group& group, const warpfiber::detail::UniformNote& note) {
  if constexpr (std::is_same_v<Group, thread_block>) {
    warpfiber::detail::note_uniform_call({}, note);
  } else if constexpr (kTileSize<Group> > 1) {
    warpfiber::detail::note_uniform_call({.tile = kTileSize<Group>, .lanes = 0}, note);
  } else if constexpr (std::is_same_v<Group, coalesced_group>) {
    note_uniform_lanes(lane_mask_of(group), note);
  } else if constexpr (std::is_same_v<Group, thread_group>) {
    if (group.get_type() == thread_block_id) warpfiber::detail::note_uniform_call({}, note);
    if (group.get_type() == coalesced_group_id) note_uniform_lanes(lane_mask_of(group), note);
  }
}

}  // namespace details
}  // namespace __v1
}  // namespace cooperative_groups
