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
inline bool claims_on(const WorkerState& worker) {
  const ResidentBlock& block = worker.block();
  return detail::current_thread.claimer != nullptr && worker.in_order && block.engaged &&
         (worker.flat ? threadIdx.x : detail::thread_rank()) == block.claimed && block.claimed + 1 < block.threads &&
         worker.idle != nullptr && block.ready.empty() && !worker.grid().stopped();
}

/// The same at the block's barrier, where the thread before it waits: what nearly every thread does at its first one.
inline bool claims_on_at_barrier(const WorkerState& worker, detail::Operation kind, const Site& site) {
  const detail::Barrier& barrier = worker.block().barrier;
  return claims_on(worker) && kind == detail::Operation::block_barrier && barrier.arrived != 0 &&
         barrier.kind == kind && barrier.site == site;
}

/// `thread` keeps `fiber` from now on.
inline void bind_claimer(const WorkerState& worker, ResidentBlock& block, detail::Fiber& fiber, unsigned thread) {
  if (worker.thread_observer != nullptr) [[unlikely]]
    report_threads_begin(*worker.thread_observer, block, thread, thread + 1);
  const unsigned warp = worker.warp_of(thread);
  // Not copied: half of it has been written a moment ago, and a processor cannot forward part of what a load wants.
  fiber.thread_index = worker.flat ? uint3{thread, 0, 0} : threadIdx;
  fiber.lane = thread - warp * worker.grid().request.warp_size;
  fiber.warp = &block.warp_storage[warp];
}

/// An unused fiber, which there is, runs `thread`, the next one.
inline detail::Fiber* claim_next(WorkerState& worker, unsigned thread) {
  detail::Fiber* next = worker.idle;
  worker.idle = next->next;
  detail::fetch_ahead(worker.idle);
  detail::current_thread.fiber = detail::current_thread.claimer = next;
  if (worker.flat) {
    threadIdx.x = thread;
  } else {
    threadIdx = successor(threadIdx, blockDim);
  }
  return next;
}

/// The running thread, which claims_on(), comes to the block's barrier, where others wait.
inline detail::Switch bind_at_barrier(WorkerState& worker) {
  ResidentBlock& block = worker.block();
  detail::current_thread.busy = true;
  detail::Fiber* self = detail::current_thread.claimer;
  const unsigned thread = block.claimed++;
  bind_claimer(worker, block, *self, thread);
  ++block.barrier.arrived;
  block.barrier.waiting.append(self);
  return detail::Switch{self, claim_next(worker, thread + 1)};
}

// The same at other places, in two parts: the thread may be the last to come there. At the barrier one part is faster.

/// The running thread, which claims_on(), is about to wait.
inline detail::Fiber* begin_first_wait(const WorkerState& worker) {
  ResidentBlock& block = worker.block();
  detail::current_thread.busy = true;
  detail::Fiber* self = detail::current_thread.claimer;
  bind_claimer(worker, block, *self, block.claimed++);
  detail::current_thread.claimer = nullptr;
  detail::current_thread.waitable = self;
  return self;
}

/// It waits.
inline detail::Switch suspend_first_wait(WorkerState& worker, detail::Fiber* self) {
  detail::current_thread.waitable = nullptr;
  return detail::Switch{self, claim_next(worker, worker.block().claimed)};
}

}  // namespace warpfiber::engine
