// SPDX-License-Identifier: Apache-2.0
// When the turn of a thread ends that goes on and on through a loop that looks at memory. Counted in passes, so that
// the clock takes no part in it. A thread that works in such a loop without waiting ends before, as a rule, and takes
// no stack of its own.
#pragma once

#include <utility>

#include "base/ids.hpp"

namespace warpfiber::engine {

/// Of one worker in one launch. A pass is detail::kPollsBeforeYield polls.
class PollTurns {
 public:
  /// Where the launch does not run in order, a policy is asked after each poll, and all are taken for the thread's own.
  explicit PollTurns(bool in_order = true) : in_order_(in_order) {}

  /// Whether the polls since the last question were all `thread`'s own.
  bool were_all_of(base::FiberId thread) { return !in_order_ || std::exchange(thread_, thread) == thread; }

  /// Whether it is the turn of others because `thread`, which works in its loop, has had enough passes in a row.
  bool is_over(base::FiberId thread) {
    if (!were_all_of(thread)) passes_ = 0;
    return ++passes_ >= kPasses;
  }

  /// `thread` goes on after it has let others run. Where it works in its loop, its next turns are short.
  void resume(base::FiberId thread, bool works) {
    thread_ = thread;
    if (works) passes_ = kPasses;
  }

 private:
  static constexpr unsigned kPasses = 64;

  bool in_order_;
  base::FiberId thread_ = base::kNoFiber;
  unsigned passes_ = 0;
};

}  // namespace warpfiber::engine
