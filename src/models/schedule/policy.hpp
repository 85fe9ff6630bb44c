// SPDX-License-Identifier: Apache-2.0
//
// A policy is an oracle: given the threads that can run, it names the one that runs next. It knows ids and nothing
// else, so it can be tested without fibers, and any engine that asks it the same questions gets the same answers.
// Invariants: no clock, no environment, no pointer-keyed order. A policy serves one launch on one worker and is asked
// from that worker only. The order of `runnable` carries no meaning, but must itself be repeatable.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/contract.hpp"
#include "base/ids.hpp"
#include "record/reason.hpp"

namespace warpfiber::schedule {

using base::FiberId;

class Policy {
 public:
  virtual ~Policy() = default;
  Policy(const Policy&) = delete;
  Policy& operator=(const Policy&) = delete;

  /// The position in `runnable` of the thread that runs next. `current` is the thread that ran last, or kNoFiber; it is
  /// in `runnable` only if it can go on. The engine asks at every switch; with one candidate nothing is decided.
  std::size_t choose(std::span<const FiberId> runnable, FiberId current) {
    WARPFIBER_CONTRACT(!runnable.empty(), "a policy is asked only while something can run");
    if (runnable.size() == 1) return 0;
    ++steps_;
    const std::size_t chosen = pick(runnable, current);
    WARPFIBER_CONTRACT(chosen < runnable.size(), "a policy chooses one of the runnable threads");
    return chosen;
  }

  /// The caller has chosen, as it does while it looks whether threads repeat what they do: position `chosen`.
  std::size_t follow(std::span<const FiberId> runnable, FiberId current, std::size_t chosen) {
    WARPFIBER_CONTRACT(chosen < runnable.size(), "the caller chooses one of the runnable threads");
    if (runnable.size() == 1) return 0;
    ++steps_;
    follows(runnable, current, chosen);
    return chosen;
  }

  /// The running thread has just synchronised at this place of its code, a number that is the same in each run; 0: not
  /// known. Called before yielded() or wrote().
  virtual void comes_to(std::uint64_t place) { static_cast<void>(place); }

  /// `fiber` can run but asks to let others go first: it spins, or calls __nanosleep. Called before the next choose().
  virtual void yielded(FiberId fiber) { static_cast<void>(fiber); }

  /// `fiber` can go on and has changed memory, which others may wait for. Called likewise; one that does nothing else
  /// for long yields in between.
  virtual void wrote(FiberId fiber) { yielded(fiber); }

  /// `fiber` has left the kernel and will not be runnable again.
  virtual void finished(FiberId fiber) { static_cast<void>(fiber); }

  /// How many real choices there were so far: those between two threads or more.
  std::uint64_t steps() const { return steps_; }

  /// What the policy could not do as promised, such as following a recording; empty if nothing.
  virtual record::Reason complaint() const { return {}; }

 protected:
  Policy() = default;

 private:
  virtual std::size_t pick(std::span<const FiberId> runnable, FiberId current) = 0;
  virtual void follows(std::span<const FiberId> runnable, FiberId current, std::size_t chosen) {
    static_cast<void>(runnable), static_cast<void>(current), static_cast<void>(chosen);
  }

  std::uint64_t steps_ = 0;
};

}  // namespace warpfiber::schedule
