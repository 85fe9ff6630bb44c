// SPDX-License-Identifier: Apache-2.0
// After a shuffle lanes run as a convoy, as those of shuffles with a mask do (lane_arrivals.cpp), and each has to come
// to the next one by the same calls as the first of them.
#include "engine/arrivals/converging_arrivals.hpp"

#include <utility>

#include "base/lane_mask.hpp"
#include "engine/claims/first_waits.hpp"
#include "engine/convergence/maskless.hpp"

namespace warpfiber::engine {

using detail::Collective;
using detail::current_thread;
using detail::Fiber;
using detail::LaneArgument;
using detail::Switch;

namespace {

/// Whether two lanes made the same call by the same recorded path; false where only debug information could decide it.
bool is_like(const Converging& a, const Converging& b) {
  return a.path == b.path && a.collective == b.collective && a.site == b.site;
}

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

std::uint64_t ConvergingArrivals::lanes_at(Site site, const char* frame) {
  return converge(site, frame, Together::asked);
}

void ConvergingArrivals::print(Site site, const char* frame, std::string_view text) {
  converge(site, frame, Together::printed, text);
}

/// Under the policy of this name lanes take turns as it is.
Switch ConvergingArrivals::arrive_at_step(Site site, const char* frame) {
  if (worker_.grid().request.steps_at_accesses()) return {};
  Fiber* self = waits_.begin();
  auto& warp = static_cast<ResidentWarp&>(*self->warp);
  Converging& argument = warp.what_said(self->lane);
  argument = said_by(self->lane, site, Together::stepped);
  return come_together(self, warp, argument, frame);
}

std::uint64_t ConvergingArrivals::converge(Site site, const char* frame, Together why, std::string_view printed) {
  Fiber* self = waits_.begin();
  auto& warp = static_cast<ResidentWarp&>(*self->warp);
  Converging argument = said_by(self->lane, site, why);
  argument.printed = printed;
  if (worker_.grid().request.convergence == Convergence::none) {
    warp.arguments[self->lane] = &argument;
    reconvergence_.write_out(warp, argument.lanes);
    waits_.wait(waits_.go_on(self));
    return argument.lanes;
  }
  waits_.wait(come_together(self, warp, argument, frame));
  return argument.lanes;
}

Switch ConvergingArrivals::come_together(Fiber* self, ResidentWarp& warp, Converging& argument, const char* frame,
                                         bool first_wait) {
  argument.path = reconvergence_.paths().path_to(frame, self->more->stack_high);
  warp.arguments[self->lane] = &argument;
  warp.converge_uniformly = warp.converging_mask == 0 ||
                            (warp.converge_uniformly && is_like(argument, converging(warp, warp.converging.head)));
  warp.converging.append(self);
  warp.converging_mask |= argument.lanes;
  if (warp.converging_mask != warp.live)
    return first_wait ? suspend_first_wait(worker_, *worker_.thread, self) : waits_.choosing().suspend(self);
  const bool at_one_shuffle = warp.converge_uniformly && argument.operands != nullptr &&
                              argument.collective->shuffles && warp.converging.head != self;
  if (at_one_shuffle && worker_.grid().request.convergence == Convergence::full && waits_.lanes().may_form_convoys())
    return start_convoy(self, warp, argument);
  reconvergence_.resolve(worker_.block(), warp, worker_.releases.in_a_row());
  Fiber* next = waits_.others_turn(*self);
  return next != nullptr ? Switch{self, next} : waits_.choosing().suspend(self);
}

Switch ConvergingArrivals::arrive_maskless(const Collective& collective, LaneArgument* operands,
                                           detail::MasklessCall* call, const char* frame) {
  if (detail::Convoy* convoy = current_thread.convoy; convoy != nullptr && convoy->mask == 0) {
    auto& maskless = static_cast<MasklessConvoy&>(*convoy);
    const bool chosen = current_thread.fiber == convoy->first &&
                        expect(maskless, collective, operands->site, frame, reconvergence_.paths());
    if (const Switch next = chosen ? advance(maskless, *operands, *call) : Switch{}; next.to != nullptr) return next;
  }
  if (!worker_.in_order || worker_.observer != nullptr || worker_.grid().request.convergence == Convergence::none) {
    call->lanes = converge(operands->site, frame, Together::asked);
    return {};
  }
  const bool first_wait = claims_on(worker_, *worker_.thread);
  Fiber* self = first_wait ? begin_first_wait(worker_, *worker_.thread) : waits_.begin();
  auto& warp = static_cast<ResidentWarp&>(*self->warp);
  Converging& argument = warp.what_said(self->lane);
  argument.site = operands->site;
  argument.lanes = base::lane_mask::only(self->lane);
  argument.why = Together::meeting;
  argument.collective = &collective;
  argument.operands = operands;
  return come_together(self, warp, argument, frame, first_wait);
}

/// All lanes of `warp`, `self` as the last, have come to one shuffle.
Switch ConvergingArrivals::start_convoy(Fiber* self, ResidentWarp& warp, const Converging& latest) {
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
  return waits_.lanes().run_convoy(self, convoy, warp.converging);
}

}  // namespace warpfiber::engine
