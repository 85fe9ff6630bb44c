// SPDX-License-Identifier: Apache-2.0
// The commonest first wait and the commonest end of a thread, a few instructions each that every thread of a block with
// a barrier goes through: inlined into what kernels call.
#pragma once

#include "engine/rendezvous_table.hpp"
#include "engine/worker.hpp"

namespace warpfiber::engine {

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
inline bool Worker::claims_on() const {
  const ResidentBlock& block = this->block();
  return detail::current_thread.claimer != nullptr && in_order_ && block.engaged &&
         (flat_ ? threadIdx.x : detail::thread_rank()) == block.claimed && block.claimed + 1 < block.threads &&
         idle_ != nullptr && block.ready.empty() && !grid_->stopped();
}

/// The same at the block's barrier, where the thread before it waits: what nearly every thread does at its first one.
inline bool Worker::claims_on_at_barrier(detail::BarrierKind kind, const Site& site) const {
  const detail::Barrier& barrier = block().barrier;
  return claims_on() && kind == detail::BarrierKind::plain && barrier.arrived != 0 && barrier.kind == kind &&
         barrier.site == site;
}

/// The thread comes to the block's barrier, which others wait at.
inline detail::Switch Worker::bind_at_barrier() {
  ResidentBlock& block = this->block();
  detail::current_thread.busy = true;
  detail::Fiber* self = detail::current_thread.claimer;
  const unsigned thread = block.claimed++;
  if (thread_observer_ != nullptr) [[unlikely]]
    report_threads_begin(block, thread, thread + 1);
  const unsigned warp = warp_of(thread);
  // Not copied: half of it has been written a moment ago, and a processor cannot forward part of what a load wants.
  self->thread_index = flat_ ? uint3{thread, 0, 0} : threadIdx;
  self->lane = thread - warp * grid_->request.warp_size;
  self->warp = &block.warp_storage[warp];
  ++block.barrier.arrived;
  block.barrier.waiting.append(self);
  detail::Fiber* next = idle_;
  idle_ = next->next;
  detail::fetch_ahead(idle_);
  detail::current_thread.fiber = detail::current_thread.claimer = next;
  if (flat_) {
    threadIdx.x = thread + 1;
  } else {
    threadIdx = successor(threadIdx, blockDim);
  }
  return detail::Switch{self, next};
}

// The same at other places, in two parts: the thread may be the last to come there. At the barrier one part is faster.

/// begin_wait() of a thread that claims_on().
inline detail::Fiber* Worker::begin_wait_claiming() {
  ResidentBlock& block = this->block();
  detail::current_thread.busy = true;
  detail::Fiber* self = detail::current_thread.claimer;
  const unsigned thread = block.claimed++;
  if (thread_observer_ != nullptr) [[unlikely]]
    report_threads_begin(block, thread, thread + 1);
  const unsigned warp = warp_of(thread);
  self->thread_index = flat_ ? uint3{thread, 0, 0} : threadIdx;
  self->lane = thread - warp * grid_->request.warp_size;
  self->warp = &block.warp_storage[warp];
  detail::current_thread.claimer = nullptr;
  detail::current_thread.waitable = self;
  return self;
}

/// suspend() of that thread.
inline detail::Switch Worker::suspend_claiming(detail::Fiber* self) {
  detail::Fiber* next = idle_;
  idle_ = next->next;
  detail::fetch_ahead(idle_);
  detail::current_thread.fiber = detail::current_thread.claimer = next;
  detail::current_thread.waitable = nullptr;
  if (flat_) {
    threadIdx.x = block().claimed;
  } else {
    threadIdx = successor(threadIdx, blockDim);
  }
  return detail::Switch{self, next};
}

inline void Worker::count_retired(const detail::Fiber& fiber, ResidentBlock& block) {
  if (thread_observer_ != nullptr) [[unlikely]]
    report_bound_end(fiber, block);
  --block.live;
  ++block.exited;
  if (fiber.lane == 0 && fiber.warp->index == 0) block.first_exited = true;
  fiber.warp->live &= ~(std::uint64_t{1} << fiber.lane);
  ++detail::current_thread.progress;
}

/// Whether nobody waits for what a thread of `warp` does, and others of its block are ready.
inline bool Worker::is_missed_by_none(const ResidentBlock& block, const ResidentWarp& warp) const {
  return in_order_ && !block.ready.empty() && !any_open_for(block, warp);
}

inline detail::Fiber* Worker::enter_bound(detail::Fiber* fiber) {
  detail::current_thread.claimer = nullptr;
  detail::current_thread.fiber = fiber;
  detail::current_thread.waitable = in_order_ ? fiber : nullptr;
  threadIdx = fiber->thread_index;
  return fiber;
}

}  // namespace warpfiber::engine
