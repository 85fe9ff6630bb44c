// SPDX-License-Identifier: Apache-2.0
// Who runs next. In order, the answer is at hand: a ready thread of the running block, else its next unclaimed thread,
// else whatever the worker's loop finds. Every other policy is asked about all threads of the worker that can run.
#include <warpfiber/detail/wait.hpp>

#include "base/ids.hpp"
#include "engine/claims/first_waits.hpp"
#include "engine/own_scope.hpp"
#include "engine/worker.hpp"
#include "fiber/tools.hpp"

namespace warpfiber::engine {

using detail::current_thread;
using detail::Fiber;
using detail::Switch;

namespace {

constexpr std::size_t kMixedBlocks = 16;

}  // namespace

/// `self` waits in some list; whoever is next runs. Nobody resumes a fiber once the launch is stopped.
Switch Worker::suspend(Fiber* self) {
  return Switch{self, choose()};
}

/// `self` can go on, but a policy may prefer another thread.
Switch Worker::reschedule(Fiber* self) {
  if (in_order_) return Switch{self, nullptr};
  make_ready(self);
  return suspend(self);
}

/// The running thread is about to access memory. In lock-step the other lanes come to theirs first.
void Worker::step_to_next_lane() {
  if (observer_ != nullptr) observer_->preempt();
  if (policy_.empty()) return;
  Fiber* self = begin_wait();
  make_ready(self);
  const OwnScope own;
  fiber::leave(suspend(self));
  current_thread.busy = true;  // as it was: the checker is about to work
}

void before_access(const record::MemoryAccess& access) {
  Worker* worker = Worker::current();
  if (worker == nullptr) return;
  if (worker->steps_at_accesses()) worker->step_to_next_lane();
  if (record::Observer* observer = worker->access_observer()) observer->access(access);
}

void report_fence(record::AccessScope scope) {
  Worker* worker = Worker::current();
  if (worker == nullptr) return;
  if (record::Observer* observer = worker->access_observer()) observer->fence(scope);
}

Fiber* Worker::choose() {
  if (grid_->stopped()) return enter_host();
  if (!in_order_) return choose_by_policy();
  ResidentBlock& current = block();
  if (!current.ready.empty()) return enter_bound(current.ready.pop());
  if (current.claimed < current.threads) return enter_claim(current);
  return enter_host();
}

Fiber* Worker::choose_by_policy() {
  if (policy_.empty() || host_decides_) return enter_host();
  // A few blocks at a time are enough to mix; others come in when spinning threads may be waiting for them.
  if (resident_.size() < kMixedBlocks) admit();
  const auto [fiber, owner] = policy_.choose();
  activate(*owner);
  return fiber != nullptr ? enter_bound(fiber) : enter_claim(*owner);
}

Fiber* Worker::enter_host() {
  leave_block();
  current_thread.convoy = nullptr;
  current_thread.claimer = nullptr;
  current_thread.waitable = nullptr;
  current_thread.block = nullptr;
  current_thread.fiber = &host_;
  return &host_;
}

/// An unused fiber goes on claiming threads of `block`.
Fiber* Worker::enter_claim(ResidentBlock& block) {
  Fiber* fiber = idle_;
  if (fiber != nullptr) {
    idle_ = fiber->next;
  } else {
    fiber = stacks_.take(grid_->request.run_threads);
    if (fiber == nullptr) {
      out_of_memory("fiber stacks");
      return enter_host();
    }
  }
  current_thread.fiber = current_thread.claimer = fiber;
  current_thread.waitable = nullptr;
  begin_claim(block);
  return fiber;
}

void Worker::make_ready(ResidentBlock& block, detail::WaitList& list, bool first) {
  if (list.empty()) return;
  if (!in_order_) {
    while (!list.empty()) make_ready(list.pop());
    return;
  }
  if (first) {
    block.ready.prepend_all(list);
  } else {
    block.ready.append_all(list);
  }
  queue(block);
}

void Worker::make_ready(Fiber* fiber) {
  ResidentBlock& owner = block_of(*fiber);
  if (in_order_) {
    owner.ready.append(fiber);
    queue(owner);
    return;
  }
  policy_.add(id_of(*fiber), fiber, owner);
}

/// Lets the policy choose the next unclaimed thread of `block`.
void Worker::offer_claim(ResidentBlock& block) {
  if (block.claimed == block.threads) return;
  policy_.add(base::fiber_id(block.rank, block.order[block.claimed], grid_->threads), nullptr, block);
}

}  // namespace warpfiber::engine
