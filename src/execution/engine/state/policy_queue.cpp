// SPDX-License-Identifier: Apache-2.0
// Makes the launch's policy, and asks it.
#include "engine/state/policy_queue.hpp"

#include <utility>

#include "base/locks/annotated_mutex.hpp"
#include "base/random.hpp"
#include "schedule/switches.hpp"

namespace warpfiber::engine {

void PolicyQueue::begin(const GridRequest& request, unsigned threads, unsigned worker) {
  last_chosen_ = yielded_ = base::kNoFiber;
  in_order_ = request.policy.kind == schedule::PolicyKind::in_order && !request.record_decisions;
  if (in_order_) return;
  schedule::PolicyOptions options = request.policy;
  // Seeds that follow each other say behind which places threads are held, in turn.
  if (options.kind != schedule::PolicyKind::delays) options.seed = base::mix(options.seed, worker);
  options.warps = {.threads = threads, .lanes = request.warp_size};
  policy_ = schedule::make_policy(options);
  if (!request.record_decisions) return;
  auto recorder = std::make_unique<schedule::Recorder>(std::move(policy_));
  recorder_ = recorder.get();
  policy_ = std::move(recorder);
}

void PolicyQueue::end(Grid& grid) {
  ids_.clear();
  fibers_.clear();
  blocks_.clear();
  if (recorder_ != nullptr) {
    const base::Lock lock(grid.mutex);
    const schedule::Recording& mine = recorder_->recording();
    grid.decisions.insert(grid.decisions.end(), mine.begin(), mine.end());
  }
  recorder_ = nullptr;
  policy_.reset();
}

void PolicyQueue::add(base::FiberId id, detail::Fiber* fiber, ResidentBlock& block) {
  ids_.push_back(id);
  fibers_.push_back(fiber);
  blocks_.push_back(&block);
}

PolicyQueue::Candidate PolicyQueue::choose(bool in_turn) {
  const bool yields = std::exchange(yielded_, base::kNoFiber) == last_chosen_;
  const std::size_t place =
      in_turn ? policy_->follow(ids_, last_chosen_, schedule::usual_choice(ids_, last_chosen_, yields))
              : policy_->choose(ids_, last_chosen_);
  last_chosen_ = ids_[place];
  const Candidate chosen{fibers_[place], blocks_[place]};
  ids_[place] = ids_.back();
  fibers_[place] = fibers_.back();
  blocks_[place] = blocks_.back();
  ids_.pop_back();
  fibers_.pop_back();
  blocks_.pop_back();
  return chosen;
}

}  // namespace warpfiber::engine
