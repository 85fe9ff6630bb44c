// SPDX-License-Identifier: Apache-2.0
//
// Wraps any policy and keeps what it was asked and what it answered: for replay files, for the determinism check
// (record two runs, then first_difference) and for counting the steps that PCT wants to know.
#pragma once

#include <memory>
#include <utility>

#include "schedule/policy.hpp"
#include "schedule/recording.hpp"
#include "schedule/switches.hpp"

namespace warpfiber::schedule {

class Recorder final : public Policy {
 public:
  explicit Recorder(std::unique_ptr<Policy> policy) : policy_(std::move(policy)) {}

  void yielded(FiberId fiber) override {
    yielded_ = fiber;
    policy_->yielded(fiber);
  }
  void comes_to(std::uint64_t place) override { policy_->comes_to(place); }
  void wrote(FiberId fiber) override { policy_->wrote(fiber); }
  void finished(FiberId fiber) override { policy_->finished(fiber); }
  record::Reason complaint() const override { return policy_->complaint(); }

  const Recording& recording() const { return recording_; }

 private:
  std::size_t pick(std::span<const FiberId> runnable, FiberId current) override {
    const bool yields = std::exchange(yielded_, base::kNoFiber) == current;
    const std::size_t chosen = policy_->choose(runnable, current);
    add(runnable, chosen, usual_choice(runnable, current, yields));
    return chosen;
  }
  void follows(std::span<const FiberId> runnable, FiberId current, std::size_t chosen) override {
    const bool yields = std::exchange(yielded_, base::kNoFiber) == current;
    policy_->follow(runnable, current, chosen);
    add(runnable, chosen, usual_choice(runnable, current, yields));
  }
  void add(std::span<const FiberId> runnable, std::size_t chosen, std::size_t usual) {
    recording_.push_back({fingerprint(runnable), runnable[chosen], chosen == usual});
  }

  std::unique_ptr<Policy> policy_;
  Recording recording_;
  FiberId yielded_ = base::kNoFiber;  // since it was chosen
};

}  // namespace warpfiber::schedule
