// SPDX-License-Identifier: Apache-2.0
// The slow half of waiting: the first wait of a thread, the last arrival at a rendezvous, everything unusual, and every
// wait under a policy that has to be asked.
#include "engine/waits/waits.hpp"

#include "engine/state/own_scope.hpp"
#include "fiber/tools.hpp"

namespace warpfiber::engine {

using detail::Fiber;
using detail::Switch;

Fiber* Waits::begin() {
  const WorkerState& worker = worker_;
  worker.thread->busy = true;
  if (worker.grid().stopped()) choosing_.abandon_fiber();
  if (worker.thread->convoy != nullptr) lanes_.end_convoy();
  return worker.thread->claimer != nullptr ? claims_.bind() : worker.running();
}

void Waits::wait(Switch decided) {
  fiber::leave(decided);
  worker_.thread->busy = false;
}

void Waits::yield_by_policy(const Fiber& self) {
  if (worker_.releases.is_for_yield()) worker_.policy.yielded(worker_.id_of(self));
  if (worker_.meetings.is_due(worker_.thread->progress)) {
    worker_.interrupted.add(&self);
    choosing_.ask_host_first(true);
  }
  if (worker_.releases.take_turn()) let_all_run();
}

Fiber* Waits::others_turn(const Fiber& self) {
  WorkerState& worker = worker_;
  worker.releases.note();
  if (!worker.in_order) {
    yield_by_policy(self);
    return nullptr;
  }
  ResidentBlock& block = worker.block();
  const bool in_a_row = worker.releases.in_a_row();
  if (!in_a_row && block.claimed < block.threads) return choosing_.enter_claim(block);
  if (worker.meetings.is_due(worker.thread->progress)) {
    worker.interrupted.add(&self);
    choosing_.queue_running(block);
    return choosing_.enter_host();
  }
  if (in_a_row || !worker.releases.turn_has_ended()) return nullptr;
  reconvergence_.resolve_overdue(block);
  choosing_.queue_running(block);
  return choosing_.enter_host();
}

Switch Waits::go_on(Fiber* self) {
  ResidentBlock& block = worker_.block();
  Fiber* next = others_turn(*self);
  if (next == nullptr) return choosing_.reschedule(self);
  block.ready.append(self);
  return Switch{self, next};
}

/// Another block comes in once every resident one has had a turn; otherwise long kernels would make all of them
/// resident.
void Waits::let_all_run() {
  if (++turns_ >= worker_.resident.size()) {
    turns_ = 0;
    blocks_.admit();
  }
  releasing_.wake_open();
  choosing_.make_yielded_ready();
  if (worker_.in_order) return;
  for (ResidentBlock* block : worker_.resident) reconvergence_.resolve_overdue(*block);
}

void Waits::step_to_next_lane() {
  if (worker_.observer != nullptr) worker_.observer->preempt();
  if (worker_.policy.empty()) return;
  Fiber* self = begin();
  choosing_.make_ready(self);
  const OwnScope own;
  fiber::leave(choosing_.suspend(self));
  worker_.thread->busy = true;  // as it was: the checker is about to work
}

}  // namespace warpfiber::engine
