// SPDX-License-Identifier: Apache-2.0
// The policies that look at nothing but who can run: threads in turn, a uniform choice, and random priorities.
#pragma once

#include <compare>
#include <unordered_map>
#include <vector>

#include "base/random.hpp"
#include "schedule/policy.hpp"

namespace warpfiber::schedule {

// The default policy: threads take turns in the order of their ids.
// Invariant: between two turns of one thread every other thread that stays runnable gets one, so no spin starves
// another thread.
class InOrder final : public Policy {
 private:
  std::size_t pick(std::span<const FiberId> runnable, FiberId current) override;
};

/// The position of the smallest id after `current`, or of the smallest id where there is none after it.
std::size_t next_in_order(std::span<const FiberId> runnable, FiberId current);

// A uniform choice at every switch. Good at shallow mistakes with many witnesses; a mistake that needs one thread to
// run far ahead of another it misses with a probability that grows exponentially with the distance (see Pct).

class RandomPolicy final : public Policy {
 public:
  explicit RandomPolicy(std::uint64_t seed) : random_(seed) {}

 private:
  std::size_t pick(std::span<const FiberId> runnable, FiberId) override { return random_.below(runnable.size()); }

  base::Random random_;
};

// Probabilistic concurrency testing (Burckhardt, Kothari, Musuvathi and Nagarakatte, "A randomized scheduler with
// probabilistic guarantees of finding bugs", ASPLOS 2010). Threads have random priorities and the highest runs; at
// depth - 1 random steps the thread about to run is lowered. A mistake that needs `depth` ordering constraints among n
// threads and k steps shows with a probability of at least 1 / (n k^(depth-1)), whatever the program.
// Beyond the paper: a thread that yields is lowered below everybody, because strict priorities would let a spinning
// thread run for ever; and a step with one candidate does not count (section 4.1 of the paper).

class Pct final : public Policy {
 public:
  /// `depth` is at least 1; `steps` is the k of the paper, an estimate of how many real choices the run has.
  Pct(std::uint64_t seed, unsigned depth, std::uint64_t steps);

  void yielded(FiberId fiber) override;
  /// Its priority says whether it goes on.
  void wrote(FiberId /*fiber*/) override {}
  void finished(FiberId fiber) override;

 private:
  /// Compared member by member; the highest runs.
  struct Priority {
    enum class Tier { yielded, lowered, initial };
    Tier tier;
    std::uint64_t value;
    friend auto operator<=>(const Priority&, const Priority&) = default;
  };

  std::size_t pick(std::span<const FiberId> runnable, FiberId current) override;
  std::size_t highest(std::span<const FiberId> runnable) const;
  Priority priority(FiberId fiber) const;

  std::uint64_t seed_;
  std::vector<std::uint64_t> change_points_;  // [i] is the step, from 1, that lowers a thread to priority i
  std::uint64_t yields_ = 0;
  std::unordered_map<FiberId, Priority> lowered_;  // whoever no longer has its initial priority
};

}  // namespace warpfiber::schedule
