// SPDX-License-Identifier: Apache-2.0
// The threads of a worker that can run, where a policy other than "in order" chooses among them: bound threads, and for
// each block its next unclaimed thread. Empty in launches that run in order, which need no queue.
// Invariant: the order of candidates carries no meaning (schedule/policy.hpp), and is the same in each run.
#pragma once

#include <warpfiber/detail/machine.hpp>

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "base/ids.hpp"
#include "engine/state/block.hpp"
#include "engine/state/grid.hpp"
#include "schedule/policy.hpp"
#include "schedule/recorder.hpp"

namespace warpfiber::engine {

class PolicyQueue {
 public:
  struct Candidate {
    detail::Fiber* fiber;  // null: the next unclaimed thread of the block
    ResidentBlock* block;
  };

  /// `worker` is the worker's number in the launch. Makes no policy where the launch runs in order.
  void begin(const GridRequest& request, unsigned threads, unsigned worker);
  /// Forgets the candidates, and adds what was decided to the grid's decisions where they are recorded.
  void end(Grid& grid);

  bool in_order() const { return in_order_; }
  bool empty() const { return ids_.empty(); }
  std::size_t size() const { return ids_.size(); }
  /// Null for unclaimed threads.
  std::span<detail::Fiber* const> fibers() const { return fibers_; }

  void add(base::FiberId id, detail::Fiber* fiber, ResidentBlock& block);
  /// The candidate that runs next, which is none any more. There has to be one. `in_turn`: threads run until they wait,
  /// and one after the other, whatever the policy prefers.
  Candidate choose(bool in_turn);

  /// See schedule::Policy. Not for launches that run in order.
  void comes_to(std::uint64_t place) { policy_->comes_to(place); }
  void yielded(base::FiberId thread) {
    yielded_ = thread;
    policy_->yielded(thread);
  }
  void wrote(base::FiberId thread) { policy_->wrote(thread); }
  void finished(base::FiberId thread) {
    if (policy_ != nullptr) policy_->finished(thread);
  }

 private:
  bool in_order_ = true;
  std::unique_ptr<schedule::Policy> policy_;
  const schedule::Recorder* recorder_ = nullptr;  // policy_, where decisions are kept
  std::vector<base::FiberId> ids_;
  std::vector<detail::Fiber*> fibers_;
  std::vector<ResidentBlock*> blocks_;
  base::FiberId last_chosen_ = base::kNoFiber;
  base::FiberId yielded_ = base::kNoFiber;  // since it was chosen
};

}  // namespace warpfiber::engine
