// SPDX-License-Identifier: Apache-2.0
//
// A uniform choice at every switch. Good at shallow mistakes with many witnesses; a mistake that needs one thread to
// run far ahead of another it misses with a probability that grows exponentially with the distance (see pct.hpp).
#pragma once

#include "base/random.hpp"
#include "schedule/policy.hpp"

namespace warpfiber::schedule {

class RandomPolicy final : public Policy {
 public:
  explicit RandomPolicy(std::uint64_t seed) : random_(seed) {}

 private:
  std::size_t pick(std::span<const FiberId> runnable, FiberId) override { return random_.below(runnable.size()); }

  base::Random random_;
};

}  // namespace warpfiber::schedule
