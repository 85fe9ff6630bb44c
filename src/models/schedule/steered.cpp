// SPDX-License-Identifier: Apache-2.0
//
// Walks through the switches, which are sorted by step, with one index.
#include "schedule/steered.hpp"

#include <algorithm>

namespace warpfiber::schedule {

std::size_t Steered::pick(std::span<const FiberId> runnable, FiberId current) {
  const bool yields = std::exchange(yielded_, base::kNoFiber) == current;
  while (next_ < switches_.size() && switches_[next_].step < steps()) ++next_;
  if (next_ < switches_.size() && switches_[next_].step == steps()) {
    const auto chosen = std::ranges::find(runnable, switches_[next_].chosen);
    if (chosen != runnable.end()) return static_cast<std::size_t>(chosen - runnable.begin());
  }
  return usual_choice(runnable, current, yields);
}

}  // namespace warpfiber::schedule
