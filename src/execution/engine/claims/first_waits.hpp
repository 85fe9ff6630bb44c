// SPDX-License-Identifier: Apache-2.0
// The commonest first wait of a thread, a few instructions that every thread of a block with a barrier goes through:
// inlined into what kernels call. All other first waits are Claims::bind().
#pragma once

#include <warpfiber/detail/wait.hpp>

#include "engine/observing/observing.hpp"
#include "engine/state/worker_state.hpp"

namespace warpfiber::engine {

/// Of threads or blocks that follow one another.
inline uint3 successor(uint3 at, const dim3& extent) {
  if (++at.x < extent.x) return at;
  at.x = 0;
  if (++at.y < extent.y) return at;
  at.y = 0;
  ++at.z;
  return at;
}

/// Whether the running thread waits for the first time, and all that follows is that an unused fiber runs the thread
/// behind it, unless the thread is the last to come.
inline bool claims_on(const WorkerState& worker, const detail::CurrentThread& current) {
  const auto& block = static_cast<const ResidentBlock&>(*current.block);
  return current.claimer != nullptr && worker.in_order && block.engaged &&
         (worker.flat ? worker.thread_index->x : worker.thread_rank()) == block.claimed &&
         block.claimed + 1 < block.threads && worker.idle != nullptr && block.ready.empty() && !worker.grid().stopped();
}

/// The same at the block's barrier, where the thread before it waits: what nearly every thread does at its first one.
inline bool claims_on_at_barrier(const WorkerState& worker, const detail::CurrentThread& current,
                                 detail::Operation kind, const Site& site) {
  const detail::Barrier& barrier = current.block->barrier;
  return claims_on(worker, current) && kind == detail::Operation::block_barrier && barrier.arrived != 0 &&
         barrier.kind == kind && barrier.site == site;
}

/// `thread` keeps `fiber` from now on.
inline void bind_claimer(const WorkerState& worker, ResidentBlock& block, detail::Fiber& fiber, unsigned thread) {
  if (worker.thread_observer != nullptr) [[unlikely]]
    report_threads_begin(*worker.thread_observer, block, thread, thread + 1);
  const unsigned warp = worker.warp_of(thread);
  // Not copied: half of it has been written a moment ago, and a processor cannot forward part of what a load wants.
  fiber.thread_index = worker.flat ? uint3{thread, 0, 0} : *worker.thread_index;
  fiber.lane = thread - warp * worker.grid().request.warp_size;
  fiber.warp = &block.warp_storage[warp];
}

/// An unused fiber, which there is, runs `thread`, the next one.
inline detail::Fiber* claim_next(WorkerState& worker, detail::CurrentThread& current, unsigned thread) {
  detail::Fiber* next = worker.idle;
  worker.idle = next->next;
  detail::fetch_ahead(worker.idle);
  current.fiber = current.claimer = next;
  if (worker.flat) {
    worker.thread_index->x = thread;
  } else {
    *worker.thread_index = successor(*worker.thread_index, worker.grid().request.block);
  }
  return next;
}

/// The running thread, which claims_on(), comes to the block's barrier, where others wait.
inline detail::Switch bind_at_barrier(WorkerState& worker, detail::CurrentThread& current) {
  auto& block = static_cast<ResidentBlock&>(*current.block);
  current.busy = true;
  detail::Fiber* self = current.claimer;
  const unsigned thread = block.claimed++;
  bind_claimer(worker, block, *self, thread);
  ++block.barrier.arrived;
  block.barrier.waiting.append(self);
  return detail::Switch{self, claim_next(worker, current, thread + 1)};
}

// Later waits at the barrier, as kernels without hooks have them inlined (<warpfiber/detail/lanes/fibers.hpp>).

/// Whether the running thread is neither the first nor the last to come, and the next ready thread of its block
/// follows.
inline bool comes_between_others(const WorkerState& worker, const detail::CurrentThread& current,
                                 detail::Operation kind, const Site& site) {
  if (current.waitable == nullptr) return false;
  const auto& block = static_cast<const ResidentBlock&>(*current.block);
  const detail::Barrier& barrier = block.barrier;
  return barrier.arrived != 0 && barrier.arrived + 1 != block.live && barrier.kind == kind && barrier.site == site &&
         !block.ready.empty() && block.open_arrivals == 0 && !worker.grid().stopped();
}

inline detail::Switch wait_between_others(const WorkerState& worker, detail::CurrentThread& current, bool predicate) {
  current.busy = true;
  detail::Fiber* self = current.waitable;
  detail::Block& block = *current.block;
  ++block.barrier.arrived;
  block.barrier.count += predicate;
  block.barrier.waiting.append(self);
  detail::Fiber* next = block.ready.pop();
  current.fiber = current.waitable = next;
  *worker.thread_index = next->thread_index;
  return detail::Switch{self, next};
}

// First waits at other places, in two parts: the thread may be the last to come there. At the barrier one part is
// faster.

/// The running thread, which claims_on(), is about to wait.
inline detail::Fiber* begin_first_wait(const WorkerState& worker, detail::CurrentThread& current) {
  auto& block = static_cast<ResidentBlock&>(*current.block);
  current.busy = true;
  detail::Fiber* self = current.claimer;
  bind_claimer(worker, block, *self, block.claimed++);
  current.claimer = nullptr;
  current.waitable = self;
  return self;
}

/// It waits.
inline detail::Switch suspend_first_wait(WorkerState& worker, detail::CurrentThread& current, detail::Fiber* self) {
  current.waitable = nullptr;
  return detail::Switch{self, claim_next(worker, current, static_cast<ResidentBlock&>(*current.block).claimed)};
}

}  // namespace warpfiber::engine
