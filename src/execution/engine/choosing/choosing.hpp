// SPDX-License-Identifier: Apache-2.0
// Which thread runs next on a worker, and the switch to it. In order, the answer is at hand: a ready thread of the
// running block, else its next unclaimed thread, else whatever the worker's loop finds. Every other policy is asked
// about all threads of the worker that can run.
// Called on the worker's OS thread, by the thread that waits or on the OS thread's own stack.
#pragma once

#include <warpfiber/detail/wait.hpp>

#include <deque>
#include <utility>

#include "engine/state/worker_state.hpp"

namespace warpfiber::engine {

class BlockLifecycle;

/// Runs `next` in place of `self`, which is never resumed. No destructor of the kernel's objects runs then; stacks are
/// plain memory to the next launch.
[[noreturn]] void leave_for_ever(detail::Fiber* self, detail::Fiber* next);

/// A thread that has waited runs on its fiber.
inline detail::Fiber* enter_bound(const WorkerState& worker, detail::CurrentThread& current, detail::Fiber* fiber) {
  current.claimer = nullptr;
  current.fiber = fiber;
  current.waitable = worker.in_order ? fiber : nullptr;
  *worker.thread_index = fiber->thread_index;
  return fiber;
}

class Choosing {
 public:
  Choosing(WorkerState& worker, BlockLifecycle& blocks) : worker_(worker), blocks_(blocks) {}

  void begin() { host_decides_ = false; }
  void end() { runnable_.clear(); }

  /// `self` waits in some list; the next thread runs. No fiber is resumed once the launch is stopped.
  detail::Switch suspend(detail::Fiber* self) { return detail::Switch{self, choose()}; }
  /// `self` can go on, but a policy may prefer another thread.
  detail::Switch reschedule(detail::Fiber* self);
  detail::Fiber* choose();

  /// An unused fiber goes on claiming threads of `block`.
  detail::Fiber* enter_claim(ResidentBlock& block);
  detail::Fiber* enter_host();
  /// Threads of `block` run from now on.
  void activate(ResidentBlock& block);

  void make_ready(ResidentBlock& block, detail::WaitList& list, bool first = false);
  void make_ready(detail::Fiber* fiber);
  /// Lets every thread that has let others run have another go.
  void make_yielded_ready();
  /// Lets the policy choose the next unclaimed thread of `block`.
  void offer_claim(ResidentBlock& block);
  /// Threads of `block` can run.
  void queue(ResidentBlock& block);
  /// The same of the running block, whose turn has ended.
  void queue_running(ResidentBlock& block);
  /// The next block in which threads can run; null if there is none.
  ResidentBlock* take_runnable();

  /// The loop on the OS thread's own stack is to be asked before another thread runs.
  void ask_host_first(bool ask) { host_decides_ = ask; }
  bool host_was_asked() { return std::exchange(host_decides_, false); }

  /// Leaves the running fiber for ever, from a fault handler's frame or from the thread itself.
  [[noreturn]] void abandon_fiber();
  /// Ends the launch with a finding about the running thread; does not come back.
  [[noreturn]] void fail_here(record::Finding finding);
  /// Ends the launch, as the host has no memory for `what`. False.
  bool out_of_memory(const char* what);

 private:
  detail::Fiber* choose_by_policy();
  void begin_claim(ResidentBlock& block);
  void leave_block() const;

  WorkerState& worker_;
  BlockLifecycle& blocks_;
  std::deque<ResidentBlock*> runnable_;  // blocks with a ready or an unclaimed thread, the running one left out
  bool host_decides_ = false;
};

}  // namespace warpfiber::engine
