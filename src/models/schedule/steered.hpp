// SPDX-License-Identifier: Apache-2.0
//
// Goes on in the usual way but for some switches. Where the thread of a switch cannot run at that step the usual one
// goes on: switches may come from another run, or be some of those of one.
#pragma once

#include <utility>

#include "schedule/policy.hpp"
#include "schedule/switches.hpp"

namespace warpfiber::schedule {

class Steered final : public Policy {
 public:
  /// `switches` are of this launch.
  explicit Steered(Switches switches) : switches_(std::move(switches)) {}

  void yielded(FiberId fiber) override { yielded_ = fiber; }
  void wrote(FiberId /*fiber*/) override {}

 private:
  std::size_t pick(std::span<const FiberId> runnable, FiberId current) override;

  Switches switches_;
  std::size_t next_ = 0;
  FiberId yielded_ = base::kNoFiber;  // since it was chosen
};

}  // namespace warpfiber::schedule
