// SPDX-License-Identifier: Apache-2.0
// Who is together with whom, and what they get.
#include "engine/convergence/reconvergence.hpp"

#include <bit>
#include <cstdio>
#include <string>
#include <tuple>
#include <utility>

#include "engine/convergence/maskless.hpp"

namespace warpfiber::engine {

using detail::Fiber;

namespace {

// Turns of a block, or of all threads under a policy, after which lanes no longer wait for the rest of their warp.
constexpr unsigned kTurnsToConverge = 4;
// Rounds of a loop in which lanes may ask who is with them while a lane behind the loop waits for them.
constexpr unsigned kOvertakings = 4096;

bool stands_before(const Site& a, const Site& b) {
  const bool same_file = Site{a.file, b.line, b.column} == b;
  return same_file && std::tie(a.line, a.column) < std::tie(b.line, b.column);
}

}  // namespace

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
    worker_.releases.note();
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
    choosing_.make_ready(block, warp.converging, first);
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
  choosing_.make_ready(block, released, first);
}

/// Which of the lanes that could be together are.
std::uint64_t Reconvergence::together(std::uint64_t lanes, Together why) {
  const Convergence convergence = worker_.grid().request.convergence;
  const bool varies = convergence == Convergence::random_masks
                          ? why == Together::asked
                          : convergence == Convergence::random && why != Together::stepped;
  if (!varies) return lanes;
  const std::uint64_t some = lanes & worker_.random.next();
  return some != 0 ? some : lanes & (~lanes + 1);
}

}  // namespace warpfiber::engine
