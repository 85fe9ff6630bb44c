// SPDX-License-Identifier: Apache-2.0
// An execution of a line is an event of its warp, by the line and by where its lanes are in loops and calls.
#include "profile/executed_lines.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace warpfiber::profile {

void ExecutedLines::begin(unsigned block_threads) {
  block_threads_ = block_threads;
  warps_of_block_ = (block_threads + kLanes - 1) / kLanes;
  steps_.clear();
  returned_.clear();
}

void ExecutedLines::block_begin(unsigned slot) {
  const std::size_t blocks = std::size_t{slot} + 1;
  if (blocks * block_threads_ > steps_.size()) {
    steps_.resize(blocks * block_threads_);
    returned_.resize(blocks * block_threads_);
    if (warps_.size() < blocks * warps_of_block_) warps_.resize(blocks * warps_of_block_);
  }
  const auto first = std::ptrdiff_t{slot} * block_threads_;
  std::fill_n(steps_.begin() + first, block_threads_, 0);
  std::fill_n(returned_.begin() + first, block_threads_, false);
}

void ExecutedLines::threads_end(const record::ThreadRange& threads) {
  const auto block = std::ptrdiff_t{threads.block.slot} * block_threads_;
  std::fill(returned_.begin() + block + threads.first, returned_.begin() + block + threads.last, true);
}

std::uint32_t ExecutedLines::find_line(const Site& where) {
  const auto known = std::ranges::find(lines_, where, &CountedLine::site);
  const auto index = static_cast<std::uint32_t>(known - lines_.begin());
  if (known == lines_.end()) lines_.push_back({where, {}});
  recent_[where.line % recent_.size()] = {where.file, where.line, index};
  return index;
}

void ExecutedLines::open_execution(const Thread& thread, std::uint64_t position, std::uint32_t line,
                                   std::uint32_t place) {
  WarpLines& warp = *thread.warp;
  if (place == WarpEvents::kNone) {
    // Warps that do not run have most likely come to where their lanes wait for each other.
    for (std::size_t other = 0; other < warps_.size(); ++other) {
      if (&warps_[other] != &warp) complete(other);
    }
    if (open_ < most_) place = warp.events.add(thread.lane, position + line, true);
  }
  if (place == WarpEvents::kNone) {
    ++left_out_;
  } else if (place == warp.open) {
    ++open_;
    if (warp.open++ == warp.lines.size()) warp.lines.emplace_back();
    warp.lines[place] = line;
  }
}

unsigned ExecutedLines::lanes_of(std::size_t warp) const {
  return std::min(kLanes, block_threads_ - static_cast<unsigned>(warp % warps_of_block_) * kLanes);
}

void ExecutedLines::complete(std::size_t warp) {
  if (warp >= warps_.size()) return;
  WarpLines& open = warps_[warp];
  open.events.settle();
  const unsigned all = lanes_of(warp);
  const auto all_lanes = static_cast<std::uint32_t>((std::uint64_t{1} << all) - 1);
  for (std::size_t place = 0; place < open.open; ++place) {
    const std::uint32_t lanes = open.events.lanes(place);
    LineCounters& counters = lines_[open.lines[place]].counters;
    ++counters.executions;
    if (lanes == all_lanes) {  // as a rule, and hosts of 2003 have no instruction that counts bits
      counters.threads += all;
      ++counters.by_all;
    } else {
      counters.threads += static_cast<unsigned>(std::popcount(lanes));
    }
  }
  open.events.clear();
  open_ -= open.open;
  open.open = 0;
}

void ExecutedLines::complete(const WarpId& warp) {
  complete(std::size_t{warp.slot} * warps_of_block_ + warp.warp);
}

void ExecutedLines::complete_block(unsigned slot) {
  for (unsigned warp = 0; warp < warps_of_block_; ++warp) complete(WarpId{slot, warp});
}

BarrierWait ExecutedLines::complete_barrier(std::span<const record::BlockId> blocks) {
  std::uint32_t most = 0;
  const auto each_waiting = [&](const auto& action) {
    for (const record::BlockId& block : blocks) {
      for (unsigned thread = 0; thread < block_threads_; ++thread) {
        const std::size_t index = std::size_t{block.slot} * block_threads_ + thread;
        if (!returned_[index]) action(block, thread, steps_[index]);
      }
    }
  };
  each_waiting([&](const record::BlockId&, unsigned, std::uint32_t steps) { most = std::max(most, steps); });
  BarrierWait wait;
  each_waiting([&](const record::BlockId& block, unsigned thread, std::uint32_t& steps) {
    const std::uint32_t waited = most - std::exchange(steps, 0);
    wait.steps += waited;
    if (waited > wait.longest) wait = {wait.steps, waited, block.rank, thread};
  });
  for (const record::BlockId& block : blocks) complete_block(block.slot);
  return wait;
}

std::map<SourceLine, LineCounters> ExecutedLines::take() {
  for (std::size_t warp = 0; warp < warps_.size(); ++warp) complete(warp);
  std::map<SourceLine, LineCounters> sums;
  for (CountedLine& line : lines_) {
    if (line.counters.executions != 0) sums[{line.site.file, line.site.line}] += std::exchange(line.counters, {});
  }
  return sums;
}

std::uint64_t ExecutedLines::take_left_out() {
  return std::exchange(left_out_, 0);
}

}  // namespace warpfiber::profile
