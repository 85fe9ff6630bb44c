// SPDX-License-Identifier: Apache-2.0
// Launches as cells number them. The numbers are few and are given again; before one is, what cells say of its last
// owner is settled: it happened before everything. One register for the process. Any thread may call.
#pragma once

#include <bitset>
#include <cstdint>

#include "base/index.hpp"
#include "check/cells/cell.hpp"
#include "check/cells/check_state.hpp"
#include "record/launch_order.hpp"
#include "record/members.hpp"

namespace warpfiber::check {

/// What findings need to know of a launch that is over.
struct BegunLaunch {
  const char* kernel = "";         // lives for ever
  const void* launched = nullptr;  // what the call that launched it returns to; null: not known
  std::uint64_t operation = 0;     // the launch's number among what the host program asked for; 0: not known
  std::uint64_t stream = 0;        // as LaunchOrder numbers it
  record::VainWait vain_wait{};
  std::uint64_t overlapped = 0;  // as in LaunchOrder
  base::Triple grid{1, 1, 1};
  base::Triple block{1, 1, 1};
  unsigned warp_size = 32;
  unsigned thread_bits = 0;  // of a thread's rank in the number of a thread
};

/// A launch that has begun.
struct LaunchNumber {
  unsigned number = 0;      // from 1 to kLaunches - 1
  std::uint64_t begun = 0;  // launches_begun() with it
  bool overtaken = false;   // one that was asked for later had begun before
};
/// One of its threads, by the number that cells have.
record::Members member_of(std::uint64_t thread, const BegunLaunch& launch);

LaunchNumber take_launch_number(const BegunLaunch& shape);
BegunLaunch launch_shape(unsigned number);

/// Launches by their numbers.
using LaunchSet = std::bitset<kLaunches>;
/// Those that have begun and that nothing orders before `operation`.
LaunchSet concurrent_launches(const record::LaunchOrder& operation);
/// The numbers that the launch with this number among the host program's operations has had.
LaunchSet numbers_of_launch(std::uint64_t operation);
/// How many numbers have been taken. Without a lock.
inline std::uint64_t launches_begun() {
  return CheckState::of_process().begun_launches.load(std::memory_order_acquire);
}

}  // namespace warpfiber::check
