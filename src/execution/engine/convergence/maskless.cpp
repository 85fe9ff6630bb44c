// SPDX-License-Identifier: Apache-2.0
// Lanes that come to a collective without a mask in a convoy, and what lanes get that are together there.
#include "engine/convergence/maskless.hpp"

#include <utility>

#include "engine/state/worker_state.hpp"

namespace warpfiber::engine {

using detail::Collective;
using detail::current_thread;
using detail::Fiber;
using detail::LaneArgument;

void await_others(const MasklessConvoy& convoy, const Fiber* self) {
  auto& warp = static_cast<ResidentWarp&>(*self->warp);
  for (Fiber *fiber = convoy.first, *next = nullptr; fiber != self; fiber = next) {
    next = fiber->next;
    Converging& argument = warp.what_said(fiber->lane);
    argument.site = convoy.place.site;
    argument.lanes = base::lane_mask::only(fiber->lane);
    argument.why = Together::meeting;
    argument.collective = convoy.kind;
    argument.operands = nullptr;
    argument.path = convoy.path;
    warp.arguments[fiber->lane] = &argument;
    warp.converging.append(fiber);
    warp.converging_mask |= argument.lanes;
  }
  warp.maskless_taking = warp.converging_mask;
  warp.converge_uniformly = true;
}

void meet(ResidentWarp& warp, std::uint64_t lanes, const Collective& collective) {
  LaneArgument* operands[detail::kMaxWarpSize];
  std::uint64_t row[detail::kMaxWarpSize];
  std::uint64_t* offered = row;
  const std::uint64_t taking = warp.maskless_taking & lanes;  // all who came in a convoy, or none of them
  if (taking != 0) {
    MasklessConvoy& convoy = *warp.maskless;
    offered = convoy.offered;
    machine::withdraw(offered, ~lanes & kConvoyMask);
    std::swap(convoy.offered, convoy.offered_next);
    warp.maskless_taking = 0;
  }
  const std::uint64_t handed = lanes & ~taking;
  base::lane_mask::for_each(
      handed, [&](unsigned lane) { operands[lane] = static_cast<const Converging*>(warp.arguments[lane])->operands; });
  collective.complete(detail::Meeting{operands, lanes, handed, offered, static_cast<unsigned>(warpSize)});
  warp.met = true;
  ++current_thread.progress;
  WorkerState::current()->meetings.note(1);
}

}  // namespace warpfiber::engine
