// SPDX-License-Identifier: Apache-2.0
// Launches as cells number them. The numbers are few and are given again; before one is, what cells say of its last
// owner is settled: it happened before everything. One register for the process. Any thread may call.
#pragma once

#include <atomic>
#include <bitset>
#include <cstdint>
#include <vector>

#include "base/index.hpp"
#include "check/cell.hpp"
#include "record/launch_order.hpp"

namespace warpfiber::check {

/// What findings need to know of a launch that is over.
struct LaunchShape {
  const char* kernel = "";      // lives for ever
  std::uint64_t operation = 0;  // the launch's number among what the host program asked for; 0: not known
  base::Triple grid{1, 1, 1};
  base::Triple block{1, 1, 1};
  unsigned warp_size = 32;
  unsigned thread_bits = 0;  // of a thread's rank in the number of a thread
  bool overtaken = false;    // one that was asked for later had begun before; set by take_launch_number()
};

/// A number for a launch, from 1 to kLaunches - 1.
unsigned take_launch_number(const LaunchShape& shape);
/// The launch is over.
void end_launch(unsigned number);
/// How many launches run, and how many of them began after others that were asked for later.
extern constinit std::atomic<unsigned> running_launches;
extern constinit std::atomic<unsigned> overtaken_launches;
/// Whether other launches run at the same time, or one that was asked for later has come before a running one.
inline bool others_run() {
  return running_launches.load(std::memory_order_relaxed) > 1 ||
         overtaken_launches.load(std::memory_order_relaxed) != 0;
}
/// The numbers, as cells have them, of launches that were these operations.
std::vector<unsigned> launch_numbers(const std::vector<std::uint64_t>& operations);
LaunchShape launch_shape(unsigned number);

/// Launches by their numbers.
using LaunchSet = std::bitset<kLaunches>;
/// Those that have begun and that nothing orders before `operation`.
LaunchSet launches_beside(const record::LaunchOrder& operation);
/// The numbers that the launch with this number among the host program's operations has had.
LaunchSet numbers_of_launch(std::uint64_t operation);
/// How many numbers have been taken. Without a lock.
std::uint64_t launches_begun();

}  // namespace warpfiber::check
