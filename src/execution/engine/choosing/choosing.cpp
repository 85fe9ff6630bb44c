// SPDX-License-Identifier: Apache-2.0
// Lists of ready threads where the launch runs in order, the policy's candidates where it does not.
#include "engine/choosing/choosing.hpp"

#include "base/contract.hpp"
#include "base/ids.hpp"
#include "base/index.hpp"
#include "base/thread_modes.hpp"
#include "engine/choosing/blocks.hpp"
#include "engine/findings/findings.hpp"
#include "engine/observing/observing.hpp"

namespace warpfiber::engine {

using detail::Fiber;
using detail::Switch;

namespace {

constexpr std::size_t kMixedBlocks = 16;

}  // namespace

void leave_for_ever(Fiber* self, Fiber* next) {
  detail::switch_announced(self, next);
  WARPFIBER_CONTRACT(false, "a fiber that was left for ever is never resumed");
  __builtin_unreachable();
}

Switch Choosing::reschedule(Fiber* self) {
  if (worker_.in_order) return Switch{self, nullptr};
  make_ready(self);
  return suspend(self);
}

Fiber* Choosing::choose() {
  if (worker_.grid().stopped()) return enter_host();
  if (!worker_.in_order) return choose_by_policy();
  detail::CurrentThread& current = *worker_.thread;
  auto& block = static_cast<ResidentBlock&>(*current.block);
  if (!block.ready.empty()) return enter_bound(worker_, current, block.ready.pop());
  if (block.claimed < block.threads) return enter_claim(block);
  return enter_host();
}

Fiber* Choosing::choose_by_policy() {
  if (worker_.policy.empty() || host_decides_) return enter_host();
  // A few blocks at a time are enough to mix; others come in when spinning threads may be waiting for them.
  if (worker_.resident.size() < kMixedBlocks) blocks_.admit();
  const auto [fiber, owner] = worker_.policy.choose(worker_.meetings.is_in_series(worker_.thread->progress));
  activate(*owner);
  return fiber != nullptr ? enter_bound(worker_, *worker_.thread, fiber) : enter_claim(*owner);
}

Fiber* Choosing::enter_host() {
  leave_block();
  detail::CurrentThread& current = *worker_.thread;
  current.convoy = nullptr;
  current.claimer = nullptr;
  current.waitable = nullptr;
  current.block = nullptr;
  current.fiber = &worker_.host;
  return &worker_.host;
}

Fiber* Choosing::enter_claim(ResidentBlock& block) {
  Fiber* fiber = worker_.idle;
  if (fiber != nullptr) {
    worker_.idle = fiber->next;
  } else {
    fiber = worker_.stacks.take(worker_.life);
    if (fiber == nullptr) {
      out_of_memory("fiber stacks");
      return enter_host();
    }
  }
  worker_.thread->fiber = worker_.thread->claimer = fiber;
  worker_.thread->waitable = nullptr;
  begin_claim(block);
  return fiber;
}

/// Points the built-in variables at the next unclaimed thread, for the fiber that is about to run it.
void Choosing::begin_claim(ResidentBlock& block) {
  const dim3& extent = worker_.grid().request.block;
  if (worker_.in_order) {
    // One-dimensional blocks are by far the commonest, and a division is dear here.
    const base::Triple at = worker_.flat ? base::Triple{block.claimed, 0, 0} : base::unlinear(block.claimed, extent);
    *worker_.thread_index = uint3{at.x, at.y, at.z};
    worker_.thread->row_end = extent.x;
    return;
  }
  worker_.thread->polls_left = 1;  // the policy is asked after each
  const unsigned thread = block.order[block.claimed];
  const base::Triple at = base::unlinear(thread, extent);
  *worker_.thread_index = uint3{at.x, at.y, at.z};
  worker_.thread->row_end = at.x + 1;
  if (worker_.thread_observer != nullptr) [[unlikely]]
    report_threads_begin(*worker_.thread_observer, block, thread, thread + 1);
  ++block.claimed;
  offer_claim(block);
}

/// A thread that changes the floating-point controls does so for its block: for every other one, whichever worker runs
/// it and in whatever order, they are the device's. Saving them at each switch would make barriers half as fast.
void Choosing::leave_block() const {
  auto* block = static_cast<ResidentBlock*>(worker_.thread->block);
  if (block != nullptr && block->live != 0) block->float_mode = base::float_mode();
}

void Choosing::activate(ResidentBlock& block) {
  detail::CurrentThread& current = *worker_.thread;
  if (current.block != &block) {
    leave_block();
    base::set_float_mode(block.float_mode);
  }
  current.block = &block;
  current.dynamic_shared = block.arena.dynamic();
  current.shared = block.arena.base();
  current.shared_bytes = block.arena.bytes();
  *worker_.block_index = block.index;
  if (worker_.observer != nullptr) worker_.observer->block_runs(block_id(block));
}

void Choosing::make_ready(ResidentBlock& block, detail::WaitList& list, bool first) {
  if (list.empty()) return;
  if (!worker_.in_order) {
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

void Choosing::make_ready(Fiber* fiber) {
  ResidentBlock& owner = block_of(*fiber);
  if (worker_.in_order) {
    owner.ready.append(fiber);
    queue(owner);
    return;
  }
  worker_.policy.add(worker_.id_of(*fiber), fiber, owner);
}

void Choosing::make_yielded_ready() {
  for (ResidentBlock* block : worker_.resident) make_ready(*block, block->yielded);
  worker_.yielded = 0;
}

void Choosing::offer_claim(ResidentBlock& block) {
  if (block.claimed == block.threads) return;
  worker_.policy.add(base::fiber_id(block.rank, block.order[block.claimed], worker_.grid().threads), nullptr, block);
}

void Choosing::queue(ResidentBlock& block) {
  if (block.queued || &block == worker_.thread->block) return;
  queue_running(block);
}

void Choosing::queue_running(ResidentBlock& block) {
  block.queued = true;
  runnable_.push_back(&block);
}

ResidentBlock* Choosing::take_runnable() {
  if (runnable_.empty()) return nullptr;
  ResidentBlock* block = runnable_.front();
  runnable_.pop_front();
  return block;
}

void Choosing::abandon_fiber() {
  Fiber* self = worker_.running();
  leave_for_ever(self, enter_host());
}

void Choosing::fail_here(record::Finding finding) {
  worker_.grid().fail(std::move(finding), &worker_);
  abandon_fiber();
}

bool Choosing::out_of_memory(const char* what) {
  worker_.grid().fail(memory_exhausted(worker_.grid(), what));
  return false;
}

}  // namespace warpfiber::engine
