// SPDX-License-Identifier: Apache-2.0
// How often warps execute the lines of a program that reports its statements (-fstatements), with how many lanes, and
// how long threads wait for each other at barriers. Belongs to one worker.
#pragma once

#include <warpfiber/detail/site.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "profile/profile.hpp"
#include "profile/warp_events.hpp"
#include "record/observer.hpp"

namespace warpfiber::profile {

class ExecutedLines {
 public:
  /// `most` executions may be open, each 16 bytes.
  explicit ExecutedLines(std::size_t most = kMostOpen) : most_(most) {}

  void begin(unsigned block_threads);
  void block_begin(unsigned slot);
  void threads_end(const record::ThreadRange& threads);
  /// Where the statements of a thread are counted. Stays where it is until the next begin() or block_begin().
  class WarpLines {
    friend class ExecutedLines;
    WarpEvents events;
    std::vector<std::uint32_t> lines;  // by place
    std::uint32_t open = 0;            // of them
  };
  struct Thread {
    unsigned lane = 0;
    std::uint32_t* steps = nullptr;
    WarpLines* warp = nullptr;
  };
  Thread of(unsigned slot, unsigned thread) {
    return {thread % kLanes, &steps_[std::size_t{slot} * block_threads_ + thread],
            &warps_[std::size_t{slot} * warps_of_block_ + thread / kLanes]};
  }
  void statement(const Thread& thread, const Site& where, std::uint64_t position) {
    ++*thread.steps;
    const std::uint32_t line = line_of(where);
    const std::uint32_t place = thread.warp->events.add(thread.lane, position + line, open_ < most_);
    if (place >= thread.warp->open) [[unlikely]]
      open_execution(thread, position, line, place);
  }
  /// All lanes of the warp have come together.
  void complete(const WarpId& warp);
  /// All threads of the blocks have. What those that had less to do have waited, in statements that the last one has
  /// executed beyond theirs since the blocks' last barrier.
  BarrierWait complete_barrier(std::span<const record::BlockId> blocks);
  void complete_block(unsigned slot);
  /// The sums so far, which it forgets.
  std::map<SourceLine, LineCounters> take();
  /// Executions by one lane that are in no sum: more of a warp were open than are kept.
  std::uint64_t take_left_out();

 private:
  static constexpr std::size_t kMostOpen = std::size_t{1} << 20;

  struct CountedLine {
    Site site;
    LineCounters counters;
  };
  /// The line that was asked for last among those with one hash.
  struct RecentLine {
    const char* file = nullptr;
    unsigned line = 0;
    std::uint32_t index = 0;
  };

  std::uint32_t line_of(const Site& where) {
    const RecentLine& recent = recent_[where.line % recent_.size()];
    return recent.file == where.file && recent.line == where.line ? recent.index : find_line(where);
  }
  std::uint32_t find_line(const Site& where);
  /// The first lane's part of an execution, or one for which there is no room.
  void open_execution(const Thread& thread, std::uint64_t position, std::uint32_t line, std::uint32_t place);
  void complete(std::size_t warp);
  unsigned lanes_of(std::size_t warp) const;

  const std::size_t most_;
  std::size_t open_ = 0;
  std::uint64_t left_out_ = 0;
  unsigned block_threads_ = 1;
  unsigned warps_of_block_ = 1;
  std::vector<std::uint32_t> steps_;  // by slot and thread: statements since its block's last barrier
  std::vector<bool> returned_;        // by slot and thread
  std::vector<WarpLines> warps_;      // by slot and warp
  std::vector<CountedLine> lines_;
  std::array<RecentLine, 256> recent_{};
};

}  // namespace warpfiber::profile
