// SPDX-License-Identifier: Apache-2.0
// Lanes that ask who is with them, lanes that print, and lanes of programs that rely on lock-step: they wait until
// nothing else of their warp, or of their block, can come to the same call, and are then answered together. Nobody
// waits for them, and they order nothing.
#include <bit>
#include <cstdio>
#include <string>
#include <tuple>
#include <utility>

#include "engine/claims/first_waits.hpp"
#include "engine/convergence/maskless.hpp"
#include "engine/worker.hpp"

namespace warpfiber::engine {

using detail::Fiber;
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

bool stands_before(const Site& a, const Site& b) {
  const bool same_file = Site{a.file, b.line, b.column} == b;
  return same_file && std::tie(a.line, a.column) < std::tie(b.line, b.column);
}

}  // namespace

std::uint64_t Worker::converged_lanes(Site site, const char* frame) {
  return converge(site, frame, Together::asked);
}

void Worker::print_together(Site site, const char* frame, std::string_view text) {
  converge(site, frame, Together::printed, text);
}

/// Under the policy of this name lanes take turns as it is.
Switch Worker::arrive_at_step(Site site, const char* frame) {
  if (grid_->request.policy.kind == schedule::PolicyKind::lock_step) return {};
  Fiber* self = begin_wait();
  auto& warp = static_cast<ResidentWarp&>(*self->warp);
  Converging& argument = warp.what_said(self->lane);
  argument = said_by(self->lane, site, Together::stepped);
  return come_together(self, warp, argument, frame);
}

std::uint64_t Worker::converge(Site site, const char* frame, Together why, std::string_view printed) {
  Fiber* self = begin_wait();
  auto& warp = static_cast<ResidentWarp&>(*self->warp);
  Converging argument = said_by(self->lane, site, why);
  argument.printed = printed;
  if (grid_->request.convergence == Convergence::none) {
    warp.arguments[self->lane] = &argument;
    print(warp, argument.lanes);
    wait(go_on(self));
    return argument.lanes;
  }
  wait(come_together(self, warp, argument, frame));
  return argument.lanes;
}

Switch Worker::come_together(Fiber* self, ResidentWarp& warp, Converging& argument, const char* frame, bool claims_on) {
  argument.path = call_paths_.path_to(frame, self->more->stack_high);
  warp.arguments[self->lane] = &argument;
  warp.converge_alike =
      warp.converging_mask == 0 || (warp.converge_alike && is_like(argument, converging(warp, warp.converging.head)));
  warp.converging.append(self);
  warp.converging_mask |= argument.lanes;
  if (warp.converging_mask != warp.live) return claims_on ? suspend_claiming(self) : suspend(self);
  const bool at_one_shuffle = warp.converge_alike && argument.operands != nullptr && argument.collective->shuffles &&
                              warp.converging.head != self;
  if (at_one_shuffle && grid_->request.convergence == Convergence::full && may_form_convoys())
    return start_maskless_convoy(self, warp, argument);
  resolve_convergence(block(), warp, in_a_row());
  Fiber* next = others_turn(*self);
  return next != nullptr ? Switch{self, next} : suspend(self);
}

/// What these lanes have to print, lane after lane.
void Worker::print(const ResidentWarp& warp, std::uint64_t lanes) {
  std::string text;
  for (; lanes != 0; lanes &= lanes - 1)
    text += static_cast<const Converging*>(warp.arguments[std::countr_zero(lanes)])->printed;
  if (text.empty()) return;
  grid_->printed.fetch_add(1, std::memory_order_relaxed);
  std::fwrite(text.data(), 1, text.size(), stdout);
}

/// Nothing else of `block` can run: lanes that asked who is with them get their answer. True if there were any.
bool Worker::resolve_convergence(ResidentBlock& block) {
  if (!block.engaged) return false;
  bool any = false;
  for (unsigned i = 0; i * grid_->request.warp_size < block.threads; ++i) {
    ResidentWarp& warp = block.warp_storage[i];
    if (warp.converging_mask == 0) continue;
    resolve_convergence(block, warp, true);
    count_release();
    any = true;
  }
  return any;
}

/// A turn is over, in which others of `block` went on and on. Lanes that asked who is with them have waited for long
/// enough if others of their warp met in several turns and never joined them; lanes that have not had their turn yet
/// are waited for.
void Worker::resolve_overdue(ResidentBlock& block) {
  if (!block.engaged) return;
  for (unsigned i = 0; i * grid_->request.warp_size < block.threads; ++i) {
    ResidentWarp& warp = block.warp_storage[i];
    const bool met = std::exchange(warp.met, false);
    if (warp.converging_mask != 0 && met && ++warp.turns_converging >= kTurnsToConverge)
      resolve_convergence(block, warp, true);
  }
}

bool Worker::are_at_one_call(const Converging& a, const Converging& b) {
  return a.collective == b.collective && a.site == b.site && call_paths_.same(*a.path, *b.path);
}

/// Of the calls that lanes of `warp` have come to, the one to be answered: as on the device, lanes in a loop catch up
/// with those that have left it, so it is the call that stands first in the source file. But a lane that came before
/// them is not overtaken for ever: they may be in the loop for its sake.
const Converging& Worker::next_to_converge(ResidentWarp& warp) {
  const Converging& longest = converging(warp, warp.converging.head);
  const Converging* first = &longest;
  warp.converging.each([&](const Fiber* fiber) {
    const Converging& lane = converging(warp, fiber);
    const bool earlier = call_paths_.are_known(*lane.path, *first->path)
                             ? call_paths_.precedes(*lane.path, *first->path)
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
void Worker::resolve_convergence(ResidentBlock& block, ResidentWarp& warp, bool first) {
  warp.turns_converging = 0;
  warp.met = true;
  if (warp.converge_alike && converging(warp, warp.converging.head).why == Together::stepped) {
    warp.converging_mask = 0;
    warp.overtaken = 0;
    make_ready(block, warp.converging, first);
    return;
  }
  const Converging& call = next_to_converge(warp);
  std::uint64_t here = 0;
  warp.converging.each([&](Fiber* fiber) {
    if (are_at_one_call(converging(warp, fiber), call)) here |= std::uint64_t{1} << fiber->lane;
  });
  here = together(here, call.why);
  if (call.why == Together::meeting) {
    meet(warp, here, *call.collective);
  } else {
    print(warp, here);
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
  warp.converge_alike = false;
  make_ready(block, released, first);
}

/// Which of the lanes that could be together are.
std::uint64_t Worker::together(std::uint64_t lanes, Together why) {
  if (grid_->request.convergence != Convergence::random || why == Together::stepped) return lanes;
  const std::uint64_t some = lanes & random_.next();
  return some != 0 ? some : lanes & (~lanes + 1);
}

}  // namespace warpfiber::engine
