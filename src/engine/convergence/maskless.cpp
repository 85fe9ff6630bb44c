// SPDX-License-Identifier: Apache-2.0
// Collectives without a mask, as before CUDA 9: their members are the lanes that are converged at the call. Lanes would
// wait for the set of converged lanes first and for the collective then; where no other lane can run in between, they
// wait once for both. After a shuffle they run as a convoy, as those of shuffles with a mask do (waiting.cpp), and each
// has to come to the next one by the same calls as the first of them.
#include <bit>
#include <utility>

#include "engine/claims/first_waits.hpp"
#include "engine/convergence/maskless.hpp"
#include "engine/worker.hpp"

namespace warpfiber::engine {

using detail::Collective;
using detail::current_thread;
using detail::Fiber;
using detail::LaneArgument;
using detail::Switch;

namespace {

constexpr std::uint64_t kConvoyMask = base::lane_mask::full(detail::kConvoyLanes);

/// The first lane of the convoy has come to another call than the one before; false if that is no shuffle.
bool expect(MasklessConvoy& convoy, const Collective& collective, Site site, const char* frame, CallPaths& paths) {
  if (!collective.shuffles) return false;
  const char* high = current_thread.fiber->more->stack_high;
  convoy.kind = &collective;
  convoy.place.site = site;
  if (convoy.trail.leads_from(frame, static_cast<std::size_t>(high - frame))) return true;
  const CallPaths::Way way = paths.way_to(frame, high);
  convoy.path = way.path;
  convoy.trail = *way.trail;
  return true;
}

}  // namespace

Switch Worker::arrive_maskless(const Collective& collective, LaneArgument* operands, detail::MasklessCall* call,
                               const char* frame) {
  if (detail::Convoy* convoy = current_thread.convoy; convoy != nullptr && convoy->mask == 0) {
    auto& maskless = static_cast<MasklessConvoy&>(*convoy);
    const bool chosen =
        current_thread.fiber == convoy->first && expect(maskless, collective, operands->site, frame, call_paths_);
    if (const Switch next = chosen ? advance(maskless, *operands, *call) : Switch{}; next.to != nullptr) return next;
  }
  if (!in_order_ || watch_ != nullptr || grid_->request.convergence == Convergence::none) {
    call->lanes = converge(operands->site, frame, Together::asked);
    return {};
  }
  const bool claims_on = this->claims_on();
  Fiber* self = claims_on ? begin_wait_claiming() : begin_wait();
  auto& warp = static_cast<ResidentWarp&>(*self->warp);
  Converging& argument = warp.what_said(self->lane);
  argument.site = operands->site;
  argument.lanes = base::lane_mask::only(self->lane);
  argument.why = Together::meeting;
  argument.collective = &collective;
  argument.operands = operands;
  return come_together(self, warp, argument, frame, claims_on);
}

/// All lanes of `warp`, `self` as the last, have come to one shuffle.
Switch Worker::start_maskless_convoy(Fiber* self, ResidentWarp& warp, const Converging& latest) {
  if (warp.maskless == nullptr) warp.maskless = std::make_unique<MasklessConvoy>();
  MasklessConvoy& convoy = *warp.maskless;
  convoy.kind = latest.collective;
  convoy.place.site = latest.site;
  if (convoy.path != latest.path) {
    convoy.path = latest.path;
    convoy.trail = {};  // found when the first lane comes to the next one
  }
  meet(warp, warp.live, *latest.collective);
  for (auto& row : convoy.rows) machine::withdraw(row, ~warp.live & kConvoyMask);
  warp.converging_mask = 0;
  warp.overtaken = warp.turns_converging = 0;
  return run_convoy(self, convoy, warp.converging);
}

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
  warp.converge_alike = true;
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
}

}  // namespace warpfiber::engine
