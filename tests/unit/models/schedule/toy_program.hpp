// SPDX-License-Identifier: Apache-2.0
//
// A machine small enough to state a schedule's odds by hand: threads are lists of steps, a step runs without
// interruption, and the policy under test names the thread before every step. No fibers, no clock.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "schedule/policy.hpp"

namespace warpfiber::schedule::toy {

struct Step {
  std::function<void()> act = [] {};
  std::function<bool()> ready = [] { return true; };
  std::function<bool()> again = [] { return false; };  // true: the thread yields and takes the same step once more
};

using Thread = std::vector<Step>;
using Program = std::vector<Thread>;

inline Thread idle(std::size_t steps) {
  return Thread(steps);
}

/// Appends `steps` steps that do nothing.
inline void idle_on(Thread& thread, std::size_t steps) {
  thread.insert(thread.end(), steps, Step{});
}

struct Outcome {
  bool stuck = false;    // some threads are left and none is ready
  bool endless = false;  // the limit was reached
  std::vector<FiberId> order;
};

class Machine {
 public:
  Machine(const Program& program, Policy& policy) : program_(program), policy_(policy), next_(program.size()) {}

  Outcome run(std::size_t limit = 10000) {
    Outcome outcome;
    std::vector<FiberId> runnable;
    while (collect(runnable)) {
      if (runnable.empty()) outcome.stuck = true;
      if (outcome.order.size() == limit) outcome.endless = true;
      if (outcome.stuck || outcome.endless) break;
      current_ = runnable[policy_.choose(runnable, current_)];
      outcome.order.push_back(current_);
      take_step(current_);
    }
    return outcome;
  }

 private:
  /// Fills in who can run; false when every thread has finished.
  bool collect(std::vector<FiberId>& runnable) const {
    runnable.clear();
    bool unfinished = false;
    for (FiberId id = 0; id < program_.size(); ++id) {
      if (next_[id] == program_[id].size()) continue;
      unfinished = true;
      if (program_[id][next_[id]].ready()) runnable.push_back(id);
    }
    return unfinished;
  }

  void take_step(FiberId id) {
    const Step& step = program_[id][next_[id]];
    step.act();
    if (step.again()) {
      policy_.yielded(id);
    } else if (++next_[id] == program_[id].size()) {
      policy_.finished(id);
    }
  }

  const Program& program_;
  Policy& policy_;
  std::vector<std::size_t> next_;
  FiberId current_ = base::kNoFiber;
};

inline Outcome run(const Program& program, Policy& policy) {
  return Machine(program, policy).run();
}

}  // namespace warpfiber::schedule::toy
