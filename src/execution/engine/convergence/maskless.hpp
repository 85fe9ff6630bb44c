// SPDX-License-Identifier: Apache-2.0
// The commonest call of a shuffle without a mask: the running lane comes to where the others of its convoy have come or
// are expected. A few instructions, inlined into what kernels call. And what others need to know of such calls.
#pragma once

#include <warpfiber/detail/current_thread.hpp>

#include "base/lane_mask.hpp"
#include "engine/state/block.hpp"

namespace warpfiber::engine {

inline constexpr std::uint64_t kConvoyMask = base::lane_mask::full(detail::kConvoyLanes);

/// `frame` is the frame address of the function that the kernel has called.
inline bool is_expected(const MasklessConvoy& convoy, const detail::Collective& collective, const Site& site,
                        const char* frame, const detail::Fiber& self) {
  const Site& expected = convoy.place.site;
  return convoy.kind == &collective && expected.file == site.file && expected.line == site.line &&
         expected.column == site.column &&
         convoy.trail.leads_from(frame, static_cast<std::size_t>(self.more->stack_high - frame));
}

/// The running lane has come to the shuffle that its convoy is expected at: the one behind it is next. Null if there is
/// none, or if it is the turn of others.
inline detail::Switch advance(MasklessConvoy& convoy, const detail::LaneArgument& operands,
                              detail::MasklessCall& call) {
  detail::CurrentThread& current = detail::current_thread;
  detail::Fiber* self = current.fiber;
  std::uint64_t* offered = convoy.offered;
  detail::Fiber* next = next_in_convoy(current, convoy, self);
  if (WARPFIBER_UNLIKELY(next == nullptr)) return {};
  offered[self->lane] = static_cast<const detail::ShuffleArgument&>(operands).value;
  call.taken = &offered[call.source];
  current.fiber = next;
  __builtin_memcpy(&threadIdx, &next->thread_index, __builtin_offsetof(uint3, z));
  return detail::Switch{self, next};
}

/// The lanes before `self` have come to the call that their convoy was expected at, and wait there for others now.
void await_others(const MasklessConvoy& convoy, const detail::Fiber* self);

/// `lanes`, all at one call without a mask, are together, and get what `collective` gives them.
void meet(ResidentWarp& warp, std::uint64_t lanes, const detail::Collective& collective);

}  // namespace warpfiber::engine
