// SPDX-License-Identifier: Apache-2.0
//
// Who a part of a finding is about: how many blocks or threads, and which, folded into runs of neighbours so that a
// hundred thousand threads stay one line.
// Invariants: `count` is exact. The runs describe the same members and are in the launch's order; where they cannot be
// folded (every block has other threads) only the blocks are listed.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/ids.hpp"
#include "base/index.hpp"
#include "base/lane_mask.hpp"

namespace warpfiber::record {

struct LaunchFacts;

enum class Unit { thread, block, host };  // host: the program itself, once

/// Neighbours in linear order, both ends included.
struct Run {
  base::Triple first;
  base::Triple last;

  friend bool operator==(const Run&, const Run&) = default;
};

/// Lanes of one warp of one block.
struct Lanes {
  unsigned warp = 0;
  base::LaneMask mask = 0;
};

struct Members {
  Unit unit = Unit::thread;
  std::uint64_t count = 0;
  std::vector<Run> blocks{};     // the blocks, or the blocks the threads are in
  std::vector<Run> threads{};    // the threads of each of those blocks, where they are the same in each and not all
  bool whole_blocks = false;     // the threads are all threads of those blocks, which have several
  std::optional<Lanes> lanes{};  // where the threads are some lanes of a single warp
};

/// Folds threads, given by id in ascending order without repetition.
Members members_of_threads(const LaunchFacts& launch, std::span<const base::FiberId> ids);

/// Folds blocks, given by linear index in ascending order without repetition.
Members members_of_blocks(const LaunchFacts& launch, std::span<const std::uint64_t> blocks);

}  // namespace warpfiber::record
