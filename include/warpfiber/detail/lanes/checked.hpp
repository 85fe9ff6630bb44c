// SPDX-License-Identifier: Apache-2.0
// The functions of lanes.hpp for threads of checked programs: they run on fibers, and what they do besides accesses is
// reported to the checker (checked.hpp).
#pragma once

#include <warpfiber/detail/checked.hpp>
#include <warpfiber/detail/lanes/checked_rows.hpp>
#include <warpfiber/detail/lanes/fibers.hpp>

namespace warpfiber::detail::checked_lanes {

using fiber_lanes::block_barrier;
using fiber_lanes::block_vote;
using fiber_lanes::collect;
using fiber_lanes::kMostShuffled;
using fiber_lanes::lane;
using fiber_lanes::lane_barrier;
using fiber_lanes::meet_with_argument;
using fiber_lanes::note_write;
using fiber_lanes::poll;
using fiber_lanes::shared_address;
using fiber_lanes::warp_collective;

/// A lane of the mask that has returned brings what it does on a device; that is reported where the lane was meant.
template <Formula kFormula, class Named, class T, std::derived_from<LaneArgument> Base>
inline WARPFIBER_INLINED T shuffle(const Named& named, T value, int operand, int width, const Base& at) {
  const unsigned lane = lane_id();
  const unsigned top = std::bit_ceil(static_cast<unsigned>(warpSize)) - 1;
  const unsigned source = shuffle_source<kFormula>(lane, operand, width, warpSize, top);
  const std::uint64_t lanes = lanes_here(named);
  checked_offer(checked_kind<T>, to_bits(value));
  const bool foreign = source != lane && (lanes >> source & 1) == 0;
  const unsigned call = foreign ? checked_foreign_lane(lanes, source, kFormula == Formula::index) : 0;
  ShuffleOperands<Base> argument{at, to_bits(value), operand, width};
  fiber_lanes::warp_collective(kCollectiveOf<kShuffleOf<kFormula, Base>>, named, &argument);
  if (argument.absent && !foreign) checked_foreign_lane(lanes, source, kFormula == Formula::index);
  if (foreign) {
    argument.value = checked_foreign_value(call, checked_kind<T>, to_bits(value), argument.value);
  } else {
    checked_receive(checked_kind<T>, to_bits(value), argument.value);
  }
  return from_bits<T>(argument.value);
}

template <Formula kFormula, class T>
inline WARPFIBER_INLINED T shuffle_maskless(T value, int operand, int width, Site site) {
  return checked_lanes::shuffle<kFormula>(converged_lanes(site), value, operand, width, LaneArgument{site});
}

template <Operation kOperation>
inline WARPFIBER_INLINED std::uint64_t vote_maskless(bool predicate, Site site) {
  return fiber_lanes::collect<kOperation>(converged_lanes(site), predicate, LaneArgument{site});
}

}  // namespace warpfiber::detail::checked_lanes
