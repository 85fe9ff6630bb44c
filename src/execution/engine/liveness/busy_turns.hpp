// SPDX-License-Identifier: Apache-2.0
// A thread that changes memory again and again without ever waiting may do so until another thread stops it. So
// its turn ends after so many atomics, however long they take: the same number in each run. Where many threads do that,
// their turns are shorter, so that all threads of a block have started soon.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>

#include "base/ids.hpp"

namespace warpfiber::engine {

/// Of one worker in one launch.
class BusyTurns {
 public:
  /// Events after which the running thread is asked about next.
  std::uint64_t length() const { return std::max(kShortest, kLongest / (ended_ + 1)); }

  /// `thread` has come to that number. Its turn is over if it was the one last time: no other has come in between.
  bool is_over(base::FiberId thread) {
    if (std::exchange(thread_, thread) != thread) return false;
    ++ended_;
    thread_ = base::kNoFiber;
    return true;
  }

  /// A thread has let others run.
  void note_yield() { ++yields_; }
  std::uint64_t yields() const { return yields_; }

 private:
  static constexpr std::uint64_t kLongest = std::uint64_t{1} << 18;
  static constexpr std::uint64_t kShortest = kLongest / 32;

  base::FiberId thread_ = base::kNoFiber;
  std::uint64_t ended_ = 0;
  std::uint64_t yields_ = 0;
};

}  // namespace warpfiber::engine
