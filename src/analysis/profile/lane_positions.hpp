// SPDX-License-Identifier: Apache-2.0
// Where in the passes of its loops and in its calls a thread is, as one number. What two lanes of a warp do at one
// place of the program is done by one execution of the warp only where that number is the same: lanes that part within
// a pass of a loop come together at the pass's end. Known of programs that report their statements (-fstatements); of
// others the number is always the same. Belongs to one worker.
#pragma once

#include <warpfiber/detail/site.hpp>
#include <warpfiber/translated/statements.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace warpfiber::profile {

class LanePosition {
 public:
  std::uint64_t value() const { return value_; }
  void statement(unsigned line) { line_ = line; }
  void change(detail::ControlFlow what, unsigned loop);
  void begin();

 private:
  static constexpr unsigned kCall = ~0U;
  /// A loop or a call that the thread is in.
  struct Enclosing {
    std::uint64_t before = 0;  // the position outside of it
    unsigned loop = kCall;
    unsigned passes_or_line = 0;  // passes begun; of a call: the line that calls
  };

  bool is_in(unsigned loop) const { return !enclosing_.empty() && enclosing_.back().loop == loop; }

  std::uint64_t value_ = 0;
  unsigned line_ = 0;  // of the statement that the thread executes
  std::vector<Enclosing> enclosing_;
};

/// Of all threads of a worker's resident blocks.
class LanePositions {
 public:
  void begin(unsigned block_threads) { block_threads_ = block_threads; }
  void block_begin(unsigned slot);
  LanePosition& of(unsigned slot, unsigned thread) { return threads_[std::size_t{slot} * block_threads_ + thread]; }

 private:
  unsigned block_threads_ = 1;
  std::vector<LanePosition> threads_;  // by slot and rank
};

}  // namespace warpfiber::profile
