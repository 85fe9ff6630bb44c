// SPDX-License-Identifier: Apache-2.0
// Lanes meet at calls of one kind with one mask, of which a warp may have several open.
#include "engine/rendezvous/lane_collectives.hpp"

#include "engine/choosing/choosing.hpp"
#include "engine/convergence/maskless.hpp"

namespace warpfiber::engine {

using detail::Collective;
using detail::Convoy;
using detail::Fiber;
using detail::PendingCollective;
using detail::Switch;

namespace {

/// Whether calls of these kinds, with the same mask, meet each other.
bool meet(const Collective& one, const Collective& other) {
  return &one == &other || one.meets == &other || other.meets == &one;
}

}  // namespace

PendingCollective& LaneCollectives::rendezvous_of(ResidentWarp& warp, const Collective& collective,
                                                  std::uint64_t mask) {
  PendingCollective* match = nullptr;
  warp.each_open([&](PendingCollective& open) {
    if (open.mask == mask && meet(*open.collective, collective)) match = &open;
  });
  if (match != nullptr) {
    if (match->collective->meets == &collective) match->collective = &collective;  // what all arguments say
    return *match;
  }
  PendingCollective& fresh = warp.pending.arrived == 0 ? warp.pending : warp.free_other();
  fresh.mask = mask;
  fresh.collective = &collective;
  return fresh;
}

bool LaneCollectives::may_form_convoys() const {
  const GridRequest& request = worker_.grid().request;
  const bool flat = request.block.z == 1 || request.block.x * request.block.y % detail::kConvoyLanes == 0;
  return worker_.in_order && worker_.observer == nullptr && !worker_.meetings.is_near_look() &&
         worker_.releases.next_in_a_row() && request.warp_size == detail::kConvoyLanes && flat;
}

Switch LaneCollectives::run_convoy(Fiber* self, Convoy& convoy, detail::WaitList& lanes) {
  worker_.releases.note();
  convoy.rounds = worker_.releases.rounds_left();
  convoy.first = lanes.head;
  convoy.tail = lanes.tail;
  *convoy.tail = nullptr;
  lanes.clear();
  enter_bound(worker_, *worker_.thread, convoy.first);
  worker_.thread->waitable = nullptr;
  worker_.thread->convoy = &convoy;
  return Switch{self, convoy.first};
}

void LaneCollectives::end_convoy() {
  Convoy& convoy = *worker_.thread->convoy;
  Fiber* self = worker_.thread->fiber;
  worker_.thread->convoy = nullptr;
  worker_.thread->waitable = self;
  worker_.meetings.note(1, worker_.releases.rounds_left() - convoy.rounds);
  worker_.releases.catch_up(convoy.rounds);
  if (self->next != nullptr) {
    detail::WaitList behind;
    behind.head = self->next;
    behind.tail = convoy.tail;
    worker_.block().ready.prepend_all(behind);
  }
  if (self == convoy.first) return;
  if (convoy.mask == 0) return await_others(static_cast<MasklessConvoy&>(convoy), self);
  auto& warp = static_cast<ResidentWarp&>(*self->warp);
  PendingCollective& pending = rendezvous_of(warp, *convoy.kind, convoy.mask);
  pending.convoy = &convoy;
  for (Fiber *fiber = convoy.first, *next = nullptr; fiber != self; fiber = next) {
    next = fiber->next;
    warp.arguments[fiber->lane] = &convoy.place;
    pending.arrived |= std::uint64_t{1} << fiber->lane;
    pending.waiting.append(fiber);
  }
  pending.taking = pending.arrived;
}

}  // namespace warpfiber::engine
