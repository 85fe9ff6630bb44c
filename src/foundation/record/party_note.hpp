// SPDX-License-Identifier: Apache-2.0
//
// What is noted of a party of a finding, as facts: for whom it waits, what it does besides. The room report makes
// the words of them.
#pragma once

#include <cstdint>
#include <variant>

#include "base/lane_mask.hpp"

namespace warpfiber::record {

/// Notes without a number.
enum class FixedNote : std::uint8_t {
  awaits_threads_of_block,  // that have not returned
  awaits_block_at_this_call,
  awaits_arrivals_of_block,
  awaits_blocks_of_grid,
  awaits_blocks_of_all_grids,
  awaits_threads_of_cluster,
  awaits_lanes_of_warp,
  awaits_threads_of_group,
  arrives_for_block,
  makes_tiles_elsewhere,  // as well
  exits_at_end,
  passes_foreign_pointer,
  reads_without_order,
  reads_before_write,
  event_not_recorded,
  meets_again,
};

inline constexpr FixedNote kLastFixedNote = FixedNote::meets_again;

/// Neighbours in a block that others wait for: of their block, or of their group.
struct AwaitedThreads {
  std::uint64_t first = 0;
  std::uint64_t last = 0;
  bool of_group = false;
};

/// Threads of a group that are no neighbours.
struct AwaitedCount {
  std::uint64_t threads = 0;
};

/// The blocks of a group that are missing.
struct AwaitedBlocks {
  std::uint64_t blocks = 0;
};

/// What the phase of a barrier lacks. No expected arrival: the barrier is a semaphore.
struct AwaitedArrivals {
  std::uint64_t expected = 0;
  std::uint64_t pending = 0;
  std::int64_t bytes = 0;   // of asynchronous copies; below 0: copied, and not expected
  int number = -1;          // of the barrier; below 0: it is in memory
  int parity = -1;          // of the phase; below 0: it has none
  std::uint64_t phase = 0;  // from 1; 0: not known
};

/// Lanes of a mask, or of a group.
struct AwaitedLanes {
  base::LaneMask lanes = 0;
  base::LaneMask mask = 0;
  bool of_group = false;
};

/// How often the block has been at its barrier, from 1.
struct BarrierPhase {
  std::uint64_t number = 0;
};

/// none: the party's `detail` is as it is.
using PartyNote = std::variant<std::monostate, FixedNote, AwaitedThreads, AwaitedCount, AwaitedBlocks, AwaitedArrivals,
                               AwaitedLanes, BarrierPhase>;

}  // namespace warpfiber::record
