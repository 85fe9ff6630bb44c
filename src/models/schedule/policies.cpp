// SPDX-License-Identifier: Apache-2.0
// Threads in turn, by id, and probabilistic concurrency testing.
#include "schedule/policies.hpp"

#include <algorithm>

#include "base/random.hpp"

namespace warpfiber::schedule {

std::size_t next_in_order(std::span<const FiberId> runnable, FiberId current) {
  // Unsigned distance past `current` puts the ids after it first, then the ids up to it, each in ascending order.
  const auto turn = [current](FiberId id) { return id - current - 1; };
  const auto next = std::ranges::min_element(runnable, {}, turn);
  return static_cast<std::size_t>(next - runnable.begin());
}

std::size_t InOrder::pick(std::span<const FiberId> runnable, FiberId current) {
  return next_in_order(runnable, current);
}

// Probabilistic concurrency testing. Initial priorities are a hash of seed and id instead of a shuffled list, so a
// launch of any size needs memory only for the threads that were lowered.

Pct::Pct(std::uint64_t seed, unsigned depth, std::uint64_t steps) : seed_(seed) {
  WARPFIBER_CONTRACT(depth > 0 && steps > 0, "depth and steps are checked where options are read");
  base::Random random(seed);
  for (unsigned i = 1; i < depth; ++i) change_points_.push_back(1 + random.below(steps));
}

Pct::Priority Pct::priority(FiberId fiber) const {
  if (const auto found = lowered_.find(fiber); found != lowered_.end()) return found->second;
  return {Priority::Tier::initial, base::mix(seed_, fiber)};
}

std::size_t Pct::highest(std::span<const FiberId> runnable) const {
  std::size_t best = 0;
  Priority best_priority = priority(runnable[0]);
  for (std::size_t i = 1; i < runnable.size(); ++i) {
    const Priority candidate = priority(runnable[i]);
    if (candidate < best_priority) continue;
    best = i;
    best_priority = candidate;
  }
  return best;
}

std::size_t Pct::pick(std::span<const FiberId> runnable, FiberId) {
  std::size_t chosen = highest(runnable);
  for (std::size_t i = 0; i < change_points_.size(); ++i) {
    if (change_points_[i] != steps()) continue;
    lowered_[runnable[chosen]] = {Priority::Tier::lowered, i};
    chosen = highest(runnable);
  }
  return chosen;
}

void Pct::yielded(FiberId fiber) {
  lowered_[fiber] = {Priority::Tier::yielded, ~yields_++};
}

void Pct::finished(FiberId fiber) {
  lowered_.erase(fiber);
}

}  // namespace warpfiber::schedule
