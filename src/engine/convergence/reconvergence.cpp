// SPDX-License-Identifier: Apache-2.0
// Who is together with whom, and what they get. Lanes of a collective without a mask would wait for the set of
// converged lanes first and for the collective then; where no other lane can run in between, they wait once for both.
// After a shuffle they run as a convoy, as those of shuffles with a mask do (waiting.cpp), and each has to come to the
// next one by the same calls as the first of them.
#include "engine/convergence/reconvergence.hpp"

#include <bit>
#include <cstdio>
#include <string>
#include <tuple>
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

/// Whether two lanes made the same call by the same recorded path; false where only debug information could decide it.
bool is_like(const Converging& a, const Converging& b) {
  return a.path == b.path && a.collective == b.collective && a.site == b.site;
}

// Turns of a block, or of all threads under a policy, after which lanes no longer wait for the rest of their warp.
constexpr unsigned kTurnsToConverge = 4;
// Rounds of a loop in which lanes may ask who is with them while a lane behind the loop waits for them.
constexpr unsigned kOvertakings = 4096;

/// What a lane that asks who is with it has said.
Converging& converging(const ResidentWarp& warp, const Fiber* fiber) {
  return *static_cast<Converging*>(warp.arguments[fiber->lane]);
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

bool stands_before(const Site& a, const Site& b) {
  const bool same_file = Site{a.file, b.line, b.column} == b;
  return same_file && std::tie(a.line, a.column) < std::tie(b.line, b.column);
}

}  // namespace

std::uint64_t Reconvergence::lanes_at(Site site, const char* frame) {
  return converge(site, frame, Together::asked);
}

void Reconvergence::print(Site site, const char* frame, std::string_view text) {
  converge(site, frame, Together::printed, text);
}

/// Under the policy of this name lanes take turns as it is.
Switch Reconvergence::arrive_at_step(Site site, const char* frame) {
  if (worker_.grid().request.policy.kind == schedule::PolicyKind::lock_step) return {};
  Fiber* self = worker_.begin_wait();
  auto& warp = static_cast<ResidentWarp&>(*self->warp);
  Converging& argument = warp.what_said(self->lane);
  argument = said_by(self->lane, site, Together::stepped);
  return come_together(self, warp, argument, frame);
}

std::uint64_t Reconvergence::converge(Site site, const char* frame, Together why, std::string_view printed) {
  Fiber* self = worker_.begin_wait();
  auto& warp = static_cast<ResidentWarp&>(*self->warp);
  Converging argument = said_by(self->lane, site, why);
  argument.printed = printed;
  if (worker_.grid().request.convergence == Convergence::none) {
    warp.arguments[self->lane] = &argument;
    write_out(warp, argument.lanes);
    worker_.wait(worker_.go_on(self));
    return argument.lanes;
  }
  worker_.wait(come_together(self, warp, argument, frame));
  return argument.lanes;
}

Switch Reconvergence::come_together(Fiber* self, ResidentWarp& warp, Converging& argument, const char* frame,
                                    bool claims_on) {
  argument.path = paths_.path_to(frame, self->more->stack_high);
  warp.arguments[self->lane] = &argument;
  warp.converge_uniformly = warp.converging_mask == 0 ||
                            (warp.converge_uniformly && is_like(argument, converging(warp, warp.converging.head)));
  warp.converging.append(self);
  warp.converging_mask |= argument.lanes;
  if (warp.converging_mask != warp.live) return claims_on ? worker_.suspend_claiming(self) : worker_.suspend(self);
  const bool at_one_shuffle = warp.converge_uniformly && argument.operands != nullptr &&
                              argument.collective->shuffles && warp.converging.head != self;
  if (at_one_shuffle && worker_.grid().request.convergence == Convergence::full && worker_.may_form_convoys())
    return start_convoy(self, warp, argument);
  resolve(worker_.block(), warp, worker_.in_a_row());
  Fiber* next = worker_.others_turn(*self);
  return next != nullptr ? Switch{self, next} : worker_.suspend(self);
}

Switch Reconvergence::arrive_maskless(const Collective& collective, LaneArgument* operands, detail::MasklessCall* call,
                                      const char* frame) {
  if (detail::Convoy* convoy = current_thread.convoy; convoy != nullptr && convoy->mask == 0) {
    auto& maskless = static_cast<MasklessConvoy&>(*convoy);
    const bool chosen =
        current_thread.fiber == convoy->first && expect(maskless, collective, operands->site, frame, paths_);
    if (const Switch next = chosen ? advance(maskless, *operands, *call) : Switch{}; next.to != nullptr) return next;
  }
  if (!worker_.in_order() || worker_.is_observed() || worker_.grid().request.convergence == Convergence::none) {
    call->lanes = converge(operands->site, frame, Together::asked);
    return {};
  }
  const bool claims_on = worker_.claims_on();
  Fiber* self = claims_on ? worker_.begin_wait_claiming() : worker_.begin_wait();
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
Switch Reconvergence::start_convoy(Fiber* self, ResidentWarp& warp, const Converging& latest) {
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
  return worker_.run_convoy(self, convoy, warp.converging);
}

/// What these lanes have to print, lane after lane.
void Reconvergence::write_out(const ResidentWarp& warp, std::uint64_t lanes) {
  std::string text;
  for (; lanes != 0; lanes &= lanes - 1)
    text += static_cast<const Converging*>(warp.arguments[std::countr_zero(lanes)])->printed;
  if (text.empty()) return;
  worker_.grid().printed.fetch_add(1, std::memory_order_relaxed);
  std::fwrite(text.data(), 1, text.size(), stdout);
}

bool Reconvergence::resolve(ResidentBlock& block) {
  if (!block.engaged) return false;
  bool any = false;
  for (unsigned i = 0; i * worker_.grid().request.warp_size < block.threads; ++i) {
    ResidentWarp& warp = block.warp_storage[i];
    if (warp.converging_mask == 0) continue;
    resolve(block, warp, true);
    worker_.count_release();
    any = true;
  }
  return any;
}

void Reconvergence::resolve_overdue(ResidentBlock& block) {
  if (!block.engaged) return;
  for (unsigned i = 0; i * worker_.grid().request.warp_size < block.threads; ++i) {
    ResidentWarp& warp = block.warp_storage[i];
    const bool met = std::exchange(warp.met, false);
    if (warp.converging_mask != 0 && met && ++warp.turns_converging >= kTurnsToConverge) resolve(block, warp, true);
  }
}

bool Reconvergence::are_at_one_call(const Converging& a, const Converging& b) {
  return a.collective == b.collective && a.site == b.site && paths_.same(*a.path, *b.path);
}

/// Of the calls that lanes of `warp` have come to, the one to be answered: as on the device, lanes in a loop catch up
/// with those that have left it, so it is the call that stands first in the source file. But a lane that came before
/// them is not overtaken for ever: they may be in the loop for its sake.
const Converging& Reconvergence::next_call(ResidentWarp& warp) {
  const Converging& longest = converging(warp, warp.converging.head);
  const Converging* first = &longest;
  warp.converging.each([&](const Fiber* fiber) {
    const Converging& lane = converging(warp, fiber);
    const bool earlier = paths_.are_known(*lane.path, *first->path) ? paths_.precedes(*lane.path, *first->path)
                                                                    : stands_before(lane.site, first->site);
    if (earlier) first = &lane;
  });
  if (are_at_one_call(*first, longest) || ++warp.overtaken > kOvertakings) {
    warp.overtaken = 0;
    return longest;
  }
  return *first;
}

/// The lanes at one call are together; those at other calls go on waiting.
void Reconvergence::resolve(ResidentBlock& block, ResidentWarp& warp, bool first) {
  warp.turns_converging = 0;
  warp.met = true;
  if (warp.converge_uniformly && converging(warp, warp.converging.head).why == Together::stepped) {
    warp.converging_mask = 0;
    warp.overtaken = 0;
    worker_.make_ready(block, warp.converging, first);
    return;
  }
  const Converging& call = next_call(warp);
  std::uint64_t here = 0;
  warp.converging.each([&](Fiber* fiber) {
    if (are_at_one_call(converging(warp, fiber), call)) here |= std::uint64_t{1} << fiber->lane;
  });
  here = together(here, call.why);
  if (call.why == Together::meeting) {
    meet(warp, here, *call.collective);
  } else {
    write_out(warp, here);
  }
  detail::WaitList all;
  detail::WaitList released;
  all.append_all(warp.converging);
  while (!all.empty()) {
    Fiber* fiber = all.pop();
    const bool chosen = (here >> fiber->lane & 1) != 0;
    if (chosen) converging(warp, fiber).lanes = here;
    (chosen ? released : warp.converging).append(fiber);
  }
  warp.converging_mask &= ~here;
  warp.converge_uniformly = false;
  worker_.make_ready(block, released, first);
}

/// Which of the lanes that could be together are.
std::uint64_t Reconvergence::together(std::uint64_t lanes, Together why) {
  if (worker_.grid().request.convergence != Convergence::random || why == Together::stepped) return lanes;
  const std::uint64_t some = lanes & random_.next();
  return some != 0 ? some : lanes & (~lanes + 1);
}

}  // namespace warpfiber::engine
