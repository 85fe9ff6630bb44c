// SPDX-License-Identifier: Apache-2.0
// The last lane completes the collective. Lanes that have met at a shuffle run as a convoy from then on.
#include "engine/arrivals/lane_arrivals.hpp"

#include "engine/claims/first_waits.hpp"
#include "engine/findings/findings.hpp"
#include "engine/findings/lane_groups.hpp"

namespace warpfiber::engine {

using detail::Collective;
using detail::Convoy;
using detail::Fiber;
using detail::LaneArgument;
using detail::PendingCollective;
using detail::Switch;

Switch LaneArrivals::arrive(const Collective& collective, std::uint64_t mask, LaneArgument* argument) {
  WorkerState& worker = worker_;
  detail::CurrentThread& current = *worker.thread;
  const bool first_wait = claims_on(worker, current);
  Fiber* self = first_wait ? begin_first_wait(worker, current) : waits_.begin();
  auto& warp = static_cast<ResidentWarp&>(*self->warp);
  const std::uint64_t bit = std::uint64_t{1} << self->lane;
  if ((mask & bit) == 0) {
    choosing_.fail_here(caller_outside_mask(worker, *self, collective, mask, *argument));
  }
  PendingCollective& pending = LaneCollectives::rendezvous_of(warp, collective, mask);
  warp.arguments[self->lane] = argument;
  pending.arrived |= bit;
  // All lanes but one wait: for them nothing is looked up that only a release needs.
  if (!machine::is_complete(pending.arrived, mask & warp.live)) {
    pending.waiting.append(self);
    return first_wait ? suspend_first_wait(worker, current, self) : choosing_.suspend(self);
  }
  const AtLanes at{worker.block(), warp, pending};
  if (collective.shuffles && lanes_.may_form_convoys() && !pending.waiting.empty()) {
    if (Convoy* convoy = warp.convoy_for(mask); convoy != nullptr) return start_convoy(self, at, *convoy);
  }
  releasing_.release(at);
  return waits_.go_on(self);
}

/// The lanes that have met go on one after the other, `self`, which came last, as the last.
Switch LaneArrivals::start_convoy(Fiber* self, const AtLanes& at, Convoy& convoy) {
  PendingCollective& pending = at.pending;
  const std::uint64_t absent = pending.mask & ~pending.arrived;
  releasing_.complete(at);
  machine::withdraw(convoy.offered, absent);
  machine::withdraw(convoy.offered_next, absent);
  convoy.kind = pending.collective;
  convoy.origin = origin_of(*pending.collective, at.warp.arguments[self->lane]);
  pending.waiting.append(self);
  return lanes_.run_convoy(self, convoy, pending.waiting);
}

}  // namespace warpfiber::engine
